import "react";

declare module "react" {
  /** Custom properties that a component hands to its style sheet. */
  interface CSSProperties {
    [variable: `--${string}`]: string | number | undefined;
  }
}
