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
        <p>It failed before any page could be drawn. Payments do not depend on the desk.</p>
        <p>If you had just sent a change, look whether it was kept before you send it again.</p>
        <p>This page asks every few seconds and goes on by itself. If it stays, tell whoever runs the desk.</p>
        <div lang="zh-CN">
          <h2>无法显示工作台</h2>
          <p>页面显示之前发生了故障。支付业务不依赖工作台。</p>
          <p>如果刚才提交了改动，请先确认是否已保存，再决定是否重新提交。</p>
          <p>本页每隔几秒自动重试，恢复后自动继续。如一直如此，请联系工作台的维护人员。</p>
        </div>
      </body>
    </html>
  );
}
