import type { KeyboardEvent } from "react";
import { StateShape } from "@/components/ui/state-mark";
import { MARK_SIZE, type Timeline } from "./layout";
import classes from "./timeline.module.css";

interface PictureProps {
  model: Timeline;
  label: string;
  words: {
    attempt: (id: string) => string;
    gap: (micros: number) => string;
    tick: (micros: number, before: number | null) => string;
  };
  selected: string | null;
  onSelect: (id: string) => void;
}

/** Diameter that a finger can hit, in px. */
const TOUCH = 26;
/** The line goes on this far into a fold, so that the cut is seen as one. */
const FOLD_MARGIN = 8;

/** Draws the prepared model. One mark is in the tab order; arrows move among them, as in any list. */
export function Picture({ model, label, words, selected, onSelect }: PictureProps) {
  const { width, height, mainY, axisY, marks, twins } = model;
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
    // biome-ignore lint/a11y/useSemanticElements: a group inside a picture has no HTML element
    <svg className={classes.picture} width={width} height={height} role="group" aria-label={label}>
      <path className={classes.axis} d={`M0 ${axisY}H${width}`} />
      <path className={classes.lane} d={`M0 ${mainY}H${width}`} />
      <Leases model={model} />
      <Twins model={model} />
      <Folds model={model} words={words} />
      <Flags model={model} />
      {model.ticks.map(({ at, x, anchor }, index) => (
        <g key={at}>
          <path className={classes.axis} d={`M${x} ${axisY}v5`} />
          <text className={classes.tick} x={x} y={axisY + 19} textAnchor={anchor}>
            {words.tick(at, model.ticks[index - 1]?.at ?? null)}
          </text>
        </g>
      ))}
      {/* biome-ignore lint/a11y/noStaticElementInteractions: the marks inside are the buttons; the group moves focus among them */}
      <g onKeyDown={onKeyDown}>
        {marks.map(({ id, x, look, number, status, tailTo }) => (
          // biome-ignore lint/a11y/useSemanticElements: a button inside a picture has no HTML element
          <g
            key={id}
            role="button"
            tabIndex={id === focusable ? 0 : -1}
            data-mark={id}
            className={classes.mark}
            aria-label={words.attempt(id)}
            aria-pressed={id === selected}
            onClick={() => onSelect(id)}
            onFocus={() => onSelect(id)}
            onMouseEnter={() => onSelect(id)}
            onKeyDown={(event) => (event.key === "Enter" || event.key === " ") && onSelect(id)}
          >
            {tailTo === null ? null : (
              <path
                d={`M${x} ${mainY}H${tailTo}`}
                stroke={`var(--${look})`}
                strokeWidth={4}
                strokeLinecap="round"
                opacity={0.35}
              />
            )}
            <circle className={classes.halo} cx={x} cy={mainY} r={TOUCH / 2} />
            <circle className={classes.ground} cx={x} cy={mainY} r={MARK_SIZE / 2 + 1} />
            <StateShape look={look} x={x} y={mainY} size={MARK_SIZE} />
            <text className={classes.number} x={x} y={mainY - MARK_SIZE} textAnchor="middle">
              {number}
            </text>
            {status === null ? null : (
              <text
                className={classes.status}
                x={x}
                y={mainY + MARK_SIZE + 10}
                textAnchor="middle"
                fill={`var(--${look})`}
              >
                {status}
              </text>
            )}
          </g>
        ))}
      </g>
      {twins.map(({ id, x, y, look }) => (
        <StateShape key={id} look={look} x={x} y={y} size={MARK_SIZE - 4} />
      ))}
    </svg>
  );
}

function Leases({ model: { leases, mainY } }: { model: Timeline }) {
  return leases.map(({ from, until, ranTo }) => (
    <g key={from}>
      <rect className={classes.lease} x={from} y={mainY - 7} width={Math.max(2, until - from)} height={14} rx={2} />
      {ranTo === null ? null : (
        <rect className={classes.overrun} x={until} y={mainY - 5} width={Math.max(2, ranTo - until)} height={10} />
      )}
      <path className={classes.leaseEnd} d={`M${until} ${mainY - 12}v24`} />
    </g>
  ));
}

function Twins({ model: { twins, mainY, width } }: { model: Timeline }) {
  return twins.map(({ id, x, y, label, sameRequest, anchor }) => (
    <g key={id}>
      <path className={classes.lane} d={`M0 ${y}H${width}`} />
      <path className={sameRequest ? classes.shared : classes.related} d={`M${x} ${mainY}V${y}`} />
      <circle className={classes.ground} cx={x} cy={y} r={MARK_SIZE / 2} />
      <text className={classes.tick} x={anchor === "start" ? x + 16 : x - 16} y={y + 20} textAnchor={anchor}>
        {label}
      </text>
    </g>
  ));
}

function Folds({ model: { folds, mainY, axisY }, words }: Pick<PictureProps, "model" | "words">) {
  return folds.map(({ x, width, micros, inBand }) => (
    <g key={x}>
      {[mainY, axisY].map((y) => (
        <g key={y}>
          {inBand && y === mainY ? null : (
            <rect
              className={classes.ground}
              x={x - width / 2 + FOLD_MARGIN}
              y={y - 10}
              width={width - 2 * FOLD_MARGIN}
              height={20}
            />
          )}
          <path className={classes.fold} d={foldMarks(x, y, width)} />
        </g>
      ))}
      <text className={classes.gap} x={x} y={mainY + 4} textAnchor="middle">
        {words.gap(micros)}
      </text>
    </g>
  ));
}

/** Two slanted strokes where the line is cut, as on a drawing of something too long for the page. */
function foldMarks(x: number, y: number, width: number): string {
  const reach = width / 2 - FOLD_MARGIN;
  return [-reach, reach].map((from) => `M${x + from - 2} ${y + 5}l4 -10`).join("");
}

function Flags({ model: { flags, axisY } }: { model: Timeline }) {
  return flags.map(({ kind, x, label, labelX, labelY }) => (
    <g key={`${kind}${x}`} className={kind === "now" ? classes.now : classes.expiry}>
      <path d={`M${x} ${labelY + 5}V${axisY}`} />
      <text x={labelX} y={labelY} textAnchor="middle">
        {label}
      </text>
    </g>
  ));
}
