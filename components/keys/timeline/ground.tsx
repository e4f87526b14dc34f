import { MARK_SIZE, type Timeline } from "./layout";
import classes from "./timeline.module.css";

/** The line goes on this far into a fold, so that the cut is seen as one. */
const FOLD_MARGIN = 8;

/** Leases as bands; one that ran over goes on, hatched, past its end. */
export function Leases({ model: { leases, mainY } }: { model: Timeline }) {
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

/** Other keys on lanes of their own, joined to this one where they began. */
export function Twins({ model: { twins, mainY, width } }: { model: Timeline }) {
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

/** Where idle time is cut out, and how much of it. */
export function Folds({ model: { folds, mainY, axisY }, gap }: { model: Timeline; gap: (micros: number) => string }) {
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
        {gap(micros)}
      </text>
    </g>
  ));
}

/** Two slanted strokes where the line is cut, as on a drawing of something too long for the page. */
function foldMarks(x: number, y: number, width: number): string {
  const reach = width / 2 - FOLD_MARGIN;
  return [-reach, reach].map((from) => `M${x + from - 2} ${y + 5}l4 -10`).join("");
}

/** Now, and the ends of deduplication windows. Labels come after every line, so that none is crossed out. */
export function Flags({ model: { flags, axisY } }: { model: Timeline }) {
  const placed = flags.map((flag) => ({ ...flag, id: `${flag.kind}${flag.x}` }));
  return (
    <>
      {placed.map(({ id, kind, x, labelY }) => (
        <path key={id} className={lines[kind]} d={`M${x} ${labelY + 5}V${axisY}`} />
      ))}
      {placed.map(({ id, kind, label, labelX, labelY }) => (
        <text key={id} className={labels[kind]} x={labelX} y={labelY} textAnchor="middle">
          {label}
        </text>
      ))}
    </>
  );
}

const lines = { now: classes.nowLine, expiry: classes.expiryLine };
const labels = { now: classes.nowLabel, expiry: classes.expiryLabel };
