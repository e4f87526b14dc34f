"use client";

import { Button, createTheme, type MantineColorsTuple } from "@mantine/core";

/** Ink on paper: buttons and links carry no hue, because colour means state and nothing else. */
const ink: MantineColorsTuple = [
  "#f6f7f8",
  "#eceef0",
  "#e3e6e9",
  "#c9ced4",
  "#98a1aa",
  "#636c75",
  "#454d55",
  "#2c3238",
  "#1b1f23",
  "#14171a",
];

export const theme = createTheme({
  colors: {
    ink,
    dark: [
      "#eceef0",
      "#b6bdc4",
      "#8f98a1",
      "#636c75",
      "#3c434a",
      "#272c31",
      "#1b1f23",
      "#14171a",
      "#0e1113",
      "#0a0c0e",
    ],
  },
  primaryColor: "ink",
  primaryShade: { light: 9, dark: 1 },
  autoContrast: true,
  black: "#14171a",
  fontFamily: "var(--font-sans)",
  fontFamilyMonospace: "var(--font-mono)",
  defaultRadius: 6,
  cursorType: "pointer",
  respectReducedMotion: true,
  focusRing: "auto",
  components: {
    Button: Button.extend({
      // Mantine computes a filled button's text for the light scheme only; this variable follows the scheme.
      vars: (_, { variant = "filled" }) => ({
        root: variant === "filled" ? { "--button-color": "var(--mantine-primary-color-contrast)" } : {},
      }),
      // A disabled button still has to be read: it says what would happen.
      styles: {
        root: { "--mantine-color-disabled": "var(--hover)", "--mantine-color-disabled-color": "var(--ink-3)" },
      },
    }),
  },
  fontSizes: { xs: "12px", sm: "13px", md: "14px", lg: "16px", xl: "20px" },
});
