import type { ComponentProps } from "react";
import classes from "./button.module.css";

/** A button beside content, quiet until it is needed. */
export function PlainButton(props: ComponentProps<"button">) {
  return <button type="button" {...props} className={classes.plain} />;
}
