import type { ReactNode } from "react";
import { Logo } from "./logo";
import classes from "./message-page.module.css";

/** A page that has only something to say: what happened, what it means, what to do. */
export function MessagePage({ title, children }: { title: string; children: ReactNode }) {
  return (
    <div className={classes.page}>
      <Logo size={28} />
      <h1>{title}</h1>
      {children}
    </div>
  );
}
