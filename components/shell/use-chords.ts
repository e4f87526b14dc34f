"use client";

import { useEffect, useRef } from "react";
import { CHORD_WINDOW_MS, chordOf } from "./chords";

/** What each chord does on this page. */
export type Chords = Record<string, () => void>;

/** Listens for shortcuts while mounted. The innermost open dialog keeps its own keys: nothing here runs under it. */
export function useChords(chords: Chords): void {
  const current = useRef(chords);
  useEffect(() => {
    current.current = chords;
  });
  useEffect(() => {
    let previous: { key: string; at: number } | null = null;
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.defaultPrevented || document.querySelector("[role=dialog]")) return;
      const recent = previous && event.timeStamp - previous.at < CHORD_WINDOW_MS ? previous.key : null;
      const chord = chordOf({ ...pick(event), typing: isField(event.target) }, recent);
      previous = chord === "g" ? { key: "g", at: event.timeStamp } : null;
      const act = chord === null ? undefined : current.current[chord];
      if (!act) return;
      event.preventDefault();
      act();
    };
    document.addEventListener("keydown", onKeyDown);
    return () => document.removeEventListener("keydown", onKeyDown);
  }, []);
}

function pick({ key, ctrlKey, metaKey, altKey }: KeyboardEvent) {
  return { key, ctrlKey, metaKey, altKey };
}

function isField(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement && (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName))
  );
}
