import { StateShape } from "@/components/ui/state-mark";
import { Flags, Folds, Leases, Twins } from "./ground";
import { MARK_SIZE, type Timeline } from "./layout";
import { Marks } from "./marks";
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

/** Draws the prepared model, and decides nothing. */
export function Picture({ model, label, words, selected, onSelect }: PictureProps) {
  const { width, height, mainY, axisY, marks, ticks, twins } = model;
  return (
    // biome-ignore lint/a11y/useSemanticElements: a group inside a picture has no HTML element
    <svg className={classes.picture} width={width} height={height} role="group" aria-label={label}>
      <path className={classes.axis} d={`M0 ${axisY}H${width}`} />
      <path className={classes.lane} d={`M0 ${mainY}H${width}`} />
      <Leases model={model} />
      <Twins model={model} />
      <Folds model={model} gap={words.gap} />
      <Flags model={model} />
      {ticks.map(({ at, x, anchor }, index) => (
        <g key={at}>
          <path className={classes.axis} d={`M${x} ${axisY}v5`} />
          <text className={classes.tick} x={x} y={axisY + 19} textAnchor={anchor}>
            {words.tick(at, ticks[index - 1]?.at ?? null)}
          </text>
        </g>
      ))}
      <Marks marks={marks} y={mainY} nameOf={words.attempt} selected={selected} onSelect={onSelect} />
      {twins.map(({ id, x, y, look }) => (
        <StateShape key={id} look={look} x={x} y={y} size={MARK_SIZE - 4} />
      ))}
    </svg>
  );
}
