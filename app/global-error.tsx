"use client";

import { useEffect } from "react";

const ASK_EVERY_MS = 3_000;

/** The last net, when not even the frame around the pages could be drawn: no styles, no messages, both languages. */
export default function GlobalErrorPage() {
  useEffect(() => {
    const timer = setInterval(async () => {
      const answer = await fetch("/readyz", { cache: "no-store" }).catch(() => null);
      if (answer?.ok) window.location.reload();
    }, ASK_EVERY_MS);
    return () => clearInterval(timer);
  }, []);
  return (
    <html lang="en">
      <body>
        <title>Idemdesk</title>
        <h1>The desk could not be shown</h1>
        <p>Nothing was changed. This page asks every few seconds and goes on by itself.</p>
        <p lang="zh-CN">暂时无法显示工作台。没有任何改动，本页会自动重试。</p>
      </body>
    </html>
  );
}
