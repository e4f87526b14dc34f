import type { ReactNode } from "react";
import classes from "./facts-list.module.css";

/** Names and values, aligned. A value of null is left out by the caller's choice, never shown as zero. */
export function FactsList({ items }: { items: readonly (readonly [name: string, value: ReactNode])[] }) {
  return (
    <dl className={classes.list}>
      {items.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}
