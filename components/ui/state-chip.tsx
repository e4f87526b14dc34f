import type { ReactNode } from "react";
import type { Look } from "./look";
import classes from "./state-chip.module.css";
import { StateMark } from "./state-mark";

/** Mark and word of a state, in its hue. */
export function StateChip({ look, children }: { look: Look; children: ReactNode }) {
  return (
    <span className={classes.chip} data-look={look}>
      <StateMark look={look} />
      <span>{children}</span>
    </span>
  );
}
