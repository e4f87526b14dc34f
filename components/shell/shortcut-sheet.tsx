"use client";

import { Modal } from "@mantine/core";
import { useTranslations } from "next-intl";
import type { Place } from "./places";
import classes from "./shortcut-sheet.module.css";

const everywhere = [
  ["/", "focusSearch"],
  ["Ctrl K · ⌘ K", "palette"],
  ["j · k", "move"],
  ["Enter", "open"],
  ["Esc", "back"],
  ["?", "sheet"],
] as const;

/** All shortcuts, on one sheet. */
export function ShortcutSheet({ places, onClose }: { places: readonly Place[]; onClose: () => void }) {
  const t = useTranslations("frame");
  return (
    <Modal opened onClose={onClose} title={t("shortcuts")} closeButtonProps={{ "aria-label": t("close") }}>
      <dl className={classes.sheet}>
        {everywhere.map(([keys, name]) => (
          <Line key={name} keys={keys} meaning={t(`shortcut.${name}`)} />
        ))}
        {places.map(({ name, letter }) => (
          <Line key={name} keys={`g ${letter}`} meaning={t("shortcut.go", { place: t(`place.${name}`) })} />
        ))}
      </dl>
    </Modal>
  );
}

function Line({ keys, meaning }: { keys: string; meaning: string }) {
  return (
    <div>
      <dt>
        <kbd>{keys}</kbd>
      </dt>
      <dd>{meaning}</dd>
    </div>
  );
}
