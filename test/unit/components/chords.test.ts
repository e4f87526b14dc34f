import { describe, expect, it } from "vitest";
import { chordOf, type KeyPress } from "@/components/shell/chords";

const press = (key: string, over: Partial<KeyPress> = {}): KeyPress => ({
  key,
  ctrlKey: false,
  metaKey: false,
  altKey: false,
  typing: false,
  ...over,
});

describe("chordOf", () => {
  it.each([
    ["a plain key", press("?"), null, "?"],
    ["two letters", press("k"), "g", "g k"],
    ["the palette on either system", press("k", { metaKey: true }), null, "mod+k"],
    ["the palette from inside a field", press("K", { ctrlKey: true, typing: true }), null, "mod+k"],
    ["a letter typed into a field", press("g", { typing: true }), null, null],
    ["Escape in a field", press("Escape", { typing: true }), null, "Escape"],
    ["a shortcut of the browser", press("r", { ctrlKey: true }), null, null],
    ["a character made with Alt", press("/", { altKey: true }), null, null],
  ])("names %s", (_, pressed, previous, chord) => {
    expect(chordOf(pressed, previous)).toBe(chord);
  });
});
