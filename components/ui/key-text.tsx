import { CopyButton } from "./copy-button";
import { escapeUnseen, shortenMiddle } from "./escape";
import classes from "./text.module.css";

interface KeyTextProps {
  /** Exact text from a client or a provider: never trusted to be readable. */
  text: string;
  /** What is copied, for the button's name; without it there is no button. */
  copyLabel?: string;
  /** Set like the prose around it: for names and sentences of people. */
  prose?: boolean;
}

/** Someone else's text: isolated from the line around it, with every unseen character spelled out. */
export function KeyText({ text, copyLabel, prose = false }: KeyTextProps) {
  let offset = 0;
  return (
    <span className={prose ? classes.prose : classes.exact}>
      <bdi
        title={escapeUnseen(text)
          .map((run) => run.text)
          .join("")}
      >
        {escapeUnseen(text).map((run) => {
          const key = offset;
          offset += run.text.length;
          if (!run.escaped) return run.text;
          return (
            <span key={key} className={classes.escape}>
              {run.text}
            </span>
          );
        })}
      </bdi>
      {copyLabel === undefined ? null : <CopyButton value={text} label={copyLabel} />}
    </span>
  );
}

/** A digest or id of ours, shortened in the middle; whole on hover and on copy. */
export function HashText({ hash, copyLabel, whole = false }: { hash: string; copyLabel?: string; whole?: boolean }) {
  return (
    <span className={classes.exact}>
      <bdi title={hash}>{whole ? hash : shortenMiddle(hash)}</bdi>
      {copyLabel === undefined ? null : <CopyButton value={hash} label={copyLabel} />}
    </span>
  );
}
