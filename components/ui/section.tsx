import type { ReactNode } from "react";
import classes from "./section.module.css";

interface SectionProps {
  title: string;
  /** Beside the title: a count, or what can be done with the whole section. */
  aside?: ReactNode;
  children: ReactNode;
}

/** A titled part of a page. */
export function Section({ title, aside, children }: SectionProps) {
  return (
    <section className={classes.section} aria-label={title}>
      <header>
        <h2>{title}</h2>
        {aside}
      </header>
      {children}
    </section>
  );
}
