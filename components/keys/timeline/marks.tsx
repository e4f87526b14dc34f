import type { KeyboardEvent } from "react";
import { StateShape } from "@/components/ui/state-mark";
import { MARK_SIZE, type Timeline } from "./layout";
import classes from "./timeline.module.css";

/** Diameter that a finger can hit, in px. */
const TOUCH = 26;

interface MarksProps {
  marks: Timeline["marks"];
  y: number;
  /** What a screen reader says of an attempt: all that its mark, number and status show. */
  nameOf: (id: string) => string;
  selected: string | null;
  onSelect: (id: string) => void;
}

/** Attempts on their lane. One is in the tab order; arrows move among them, as in any list. */
export function Marks({ marks, y, nameOf, selected, onSelect }: MarksProps) {
  const focusable = marks.some(({ id }) => id === selected) ? selected : (marks[0]?.id ?? null);
  const onKeyDown = (event: KeyboardEvent<SVGGElement>) => {
    const step = { ArrowRight: 1, ArrowLeft: -1, Home: -marks.length, End: marks.length }[event.key];
    if (step === undefined) return;
    event.preventDefault();
    const current = marks.findIndex(({ id }) => id === focusable);
    const next = marks[Math.min(Math.max(current + step, 0), marks.length - 1)];
    if (!next) return;
    onSelect(next.id);
    event.currentTarget.querySelector<SVGGElement>(`[data-mark="${CSS.escape(next.id)}"]`)?.focus();
  };
  return (
    <>
      {marks.map(({ id, x, look, tailTo }) =>
        tailTo === null ? null : (
          <path key={id} className={classes.tail} d={`M${x} ${y}H${tailTo}`} stroke={`var(--${look})`} />
        ),
      )}
      {/* biome-ignore lint/a11y/noStaticElementInteractions: the marks inside are the buttons; the group moves focus among them */}
      <g onKeyDown={onKeyDown}>
        {marks.map(({ id, x, look }) => (
          // biome-ignore lint/a11y/useSemanticElements: a button inside a picture has no HTML element
          <g
            key={id}
            role="button"
            tabIndex={id === focusable ? 0 : -1}
            data-mark={id}
            className={classes.mark}
            aria-label={nameOf(id)}
            aria-pressed={id === selected}
            onClick={() => onSelect(id)}
            onFocus={() => onSelect(id)}
            onMouseEnter={() => onSelect(id)}
            onKeyDown={(event) => (event.key === "Enter" || event.key === " ") && onSelect(id)}
          >
            <circle className={classes.halo} cx={x} cy={y} r={TOUCH / 2} />
            <circle className={classes.ground} cx={x} cy={y} r={MARK_SIZE / 2 + 1} />
            <StateShape look={look} x={x} y={y} size={MARK_SIZE} />
          </g>
        ))}
      </g>
      <Labels marks={marks} y={y} selected={selected} />
    </>
  );
}

/** Number above and status below each mark: for the eye alone, since the mark's own name says both. */
function Labels({ marks, y, selected }: Pick<MarksProps, "marks" | "y" | "selected">) {
  return (
    // biome-ignore lint/a11y/noAriaHiddenOnFocusable: a group of a picture takes no focus
    <g aria-hidden="true" className={classes.labels} textAnchor="middle">
      {marks.map(({ id, x, look, number, status }) => (
        <g key={id} data-selected={id === selected || undefined}>
          <text className={classes.number} x={x} y={y - MARK_SIZE}>
            {number}
          </text>
          {status === null ? null : (
            <text className={classes.status} x={x} y={y + MARK_SIZE + 10} fill={`var(--${look})`}>
              {status}
            </text>
          )}
        </g>
      ))}
    </g>
  );
}
