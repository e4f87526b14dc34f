import { ColorSchemeScript, mantineHtmlProps } from "@mantine/core";
import type { Metadata, Viewport } from "next";
import { headers } from "next/headers";
import { getLocale } from "next-intl/server";
import type { ReactNode } from "react";
import { fontClasses } from "@/components/shell/fonts";
import { PageMessages } from "@/components/shell/page-messages";
import { Providers } from "@/components/shell/providers";
import "./mantine.css";
import "./globals.css";

export const metadata: Metadata = {
  title: { default: "Idemdesk", template: "%s · Idemdesk" },
  robots: { index: false, follow: false },
  referrer: "no-referrer",
};

export const viewport: Viewport = {
  themeColor: [
    { media: "(prefers-color-scheme: light)", color: "#ffffff" },
    { media: "(prefers-color-scheme: dark)", color: "#14171a" },
  ],
};

export default async function RootLayout({ children }: { children: ReactNode }) {
  const [locale, header] = await Promise.all([getLocale(), headers()]);
  const nonce = header.get("x-nonce") ?? undefined;
  return (
    <html lang={locale === "zh" ? "zh-CN" : locale} className={fontClasses} {...mantineHtmlProps}>
      <head>
        <ColorSchemeScript defaultColorScheme="auto" nonce={nonce} suppressHydrationWarning />
      </head>
      <body>
        <Providers nonce={nonce}>
          <PageMessages only={["ui", "errors"]}>{children}</PageMessages>
        </Providers>
      </body>
    </html>
  );
}
