/** Two attempts, one effect: a ring that closes on the disc it repeats. */
export function Logo({ size = 22 }: { size?: number }) {
  return (
    <svg viewBox="0 0 24 24" width={size} height={size} aria-hidden="true" focusable="false">
      <circle cx="9" cy="12" r="5.5" fill="currentColor" />
      <path d="M13.2 6.4a7 7 0 1 1 0 11.2" fill="none" stroke="currentColor" strokeWidth="2" strokeLinecap="round" />
    </svg>
  );
}
