import type { ReactNode } from "react";
import classes from "./empty-state.module.css";

/** Nothing to show, said in full: what was looked for, and what to try. */
export function EmptyState({ title, children }: { title: string; children?: ReactNode }) {
  return (
    <div className={classes.empty}>
      <h2>{title}</h2>
      {children}
    </div>
  );
}
