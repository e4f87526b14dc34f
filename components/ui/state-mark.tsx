import type { ReactElement } from "react";
import type { Look } from "./look";

/** Each mark in a box of 16 × 16, told apart by its outline alone, so that no state needs its colour to be read. */
const shapes: Record<Look, ReactElement> = {
  executed: <circle cx="8" cy="8" r="5.5" fill="currentColor" />,
  replayed: <circle cx="8" cy="8" r="4.6" fill="none" stroke="currentColor" strokeWidth="2.2" />,
  running: (
    <>
      <circle cx="8" cy="8" r="5" fill="none" stroke="currentColor" strokeWidth="1.4" />
      <path d="M8 3a5 5 0 0 0 0 10z" fill="currentColor" />
    </>
  ),
  conflict: <rect x="3.5" y="3.5" width="9" height="9" rx="1" fill="none" stroke="currentColor" strokeWidth="2" />,
  mismatch: <path d="M8 1.8 14.2 8 8 14.2 1.8 8z" fill="currentColor" />,
  rejected: <path d="m4 4 8 8m0-8-8 8" fill="none" stroke="currentColor" strokeWidth="2.2" strokeLinecap="round" />,
  stuck: (
    <>
      <path d="M1 5.5h8.5v5H1z" fill="currentColor" />
      <path d="M9.5 6.2H15v3.6H9.5" fill="none" stroke="currentColor" strokeWidth="1.4" />
      <path d="M9.5 2.5v11" stroke="currentColor" strokeWidth="1.6" />
    </>
  ),
  unknown: (
    <>
      <circle cx="8" cy="8" r="6.6" fill="none" stroke="currentColor" strokeWidth="1.3" strokeDasharray="2.6 1.6" />
      <path
        d="M6.1 6.4c.1-1.2.9-1.9 2-1.9 1.2 0 2 .7 2 1.7 0 1.5-2 1.5-2 3"
        fill="none"
        stroke="currentColor"
        strokeWidth="1.5"
        strokeLinecap="round"
      />
      <circle cx="8.1" cy="11.3" r="0.95" fill="currentColor" />
    </>
  ),
  failed: <rect x="2.8" y="2.8" width="10.4" height="10.4" rx="1" fill="currentColor" />,
  ended: <circle cx="8" cy="8" r="5.2" fill="none" stroke="currentColor" strokeWidth="1.2" />,
};

/** The mark of a state as a group, for drawing inside another picture. Centred on (x, y). */
export function StateShape({ look, x, y, size = 16 }: { look: Look; x: number; y: number; size?: number }) {
  const scale = size / 16;
  return (
    <g transform={`translate(${x - size / 2} ${y - size / 2}) scale(${scale})`} color={`var(--${look})`}>
      {shapes[look]}
    </g>
  );
}

/** The mark of a state. Silent to screen readers: the word stands beside it. */
export function StateMark({ look, size = 14 }: { look: Look; size?: number }) {
  return (
    <svg viewBox="0 0 16 16" width={size} height={size} color={`var(--${look})`} aria-hidden="true" focusable="false">
      {shapes[look]}
    </svg>
  );
}
