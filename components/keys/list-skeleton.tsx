import classes from "./list-skeleton.module.css";

/** The table's own shape while its first rows are on their way: the layout is known, so nothing jumps. */
export function ListSkeleton() {
  return (
    <div className={classes.rows} aria-hidden="true">
      {Array.from({ length: 10 }, (_, row) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: ten equal lines
        <span key={row} />
      ))}
    </div>
  );
}
