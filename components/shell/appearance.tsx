"use client";

import { useMantineColorScheme } from "@mantine/core";
import IconDeviceDesktop from "@tabler/icons-react/icons/IconDeviceDesktop";
import IconMoon from "@tabler/icons-react/icons/IconMoon";
import IconSun from "@tabler/icons-react/icons/IconSun";
import { useRouter } from "next/navigation";
import { useLocale, useTranslations } from "next-intl";
import { useEffect, useState } from "react";
import { keepPreference } from "./preference";
import classes from "./top-bar.module.css";

const themes = { auto: IconDeviceDesktop, light: IconSun, dark: IconMoon };
const following = { auto: "light", light: "dark", dark: "auto" } as const;

/** Goes through system, light and dark. */
export function ThemeButton() {
  const t = useTranslations("frame");
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  const [known, setKnown] = useState(false);
  // The choice lives in the browser, so the server draws the neutral icon and the browser its own.
  useEffect(() => setKnown(true), []);
  const shown = known ? colorScheme : "auto";
  const Icon = themes[shown];
  const name = t(`theme.${shown}`);
  return (
    <button
      type="button"
      className={classes.tool}
      onClick={() => setColorScheme(following[shown])}
      aria-label={name}
      title={name}
    >
      <Icon size={16} stroke={1.6} />
    </button>
  );
}

/** Names the other language in that language, so that whoever needs it can read it. */
export function LanguageButton() {
  const router = useRouter();
  const other = useLocale() === "zh" ? "en" : "zh";
  const choose = () => {
    keepPreference("locale", other);
    router.refresh();
  };
  return (
    <button type="button" className={classes.tool} onClick={choose} lang={other === "zh" ? "zh-CN" : "en"}>
      {other === "zh" ? "中文" : "English"}
    </button>
  );
}
