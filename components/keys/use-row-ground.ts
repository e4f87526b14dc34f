import { type RefObject, useLayoutEffect, useState } from "react";

/** Px; what the style sheet says of a wide window, where the server cannot know better. */
const WIDE_ROW = 38;

/**
 * Where the rows begin below the page's top and how high each is, in px. The style sheet places the rows by itself, so
 * that they stand right before any script runs; this only tells the virtual list which of them are in sight.
 */
export function useRowGround(body: RefObject<HTMLElement | null>): { top: number; rowHeight: number } {
  const [ground, setGround] = useState({ top: 0, rowHeight: WIDE_ROW });
  useLayoutEffect(() => {
    const look = () => {
      const element = body.current;
      if (!element) return;
      const top = Math.round(element.getBoundingClientRect().top + window.scrollY);
      const rowHeight = Number.parseFloat(getComputedStyle(element).getPropertyValue("--row")) || WIDE_ROW;
      setGround((known) => (known.top === top && known.rowHeight === rowHeight ? known : { top, rowHeight }));
    };
    look();
    window.addEventListener("resize", look);
    return () => window.removeEventListener("resize", look);
  }, [body]);
  return ground;
}
