"use client";

import { Outage } from "@/components/shell/outage";

/** Loads the page anew rather than drawing it again: what the server could not read, only the server can. */
function reload(): void {
  window.location.reload();
}

export default function ErrorPage({ error }: { error: Error & { digest?: string } }) {
  return <Outage number={error.digest} onRecovered={reload} />;
}
