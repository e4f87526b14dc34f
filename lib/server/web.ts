import { setTimeout as sleep } from "node:timers/promises";
import type { Env } from "@/lib/env";
import { type Child, startChild } from "./child";
import { StartError } from "./failure";

/** How long the web process may take to answer for the first time, in ms. */
const START_MS = 60_000;

/** The address a browser on this machine opens. */
export function deskAddress({ HOST, PORT }: Env): string {
  const anywhere = HOST === "0.0.0.0" || HOST === "::";
  const host = anywhere ? "localhost" : HOST.includes(":") ? `[${HOST}]` : HOST;
  return `http://${host}:${PORT}`;
}

/** Starts the built desk. */
export function startWeb({ HOST, PORT }: Env, logFile: string | undefined): Child {
  return startChild({
    name: "web process",
    args: ["node_modules/next/dist/bin/next", "start", "--hostname", HOST, "--port", String(PORT)],
    env: { NODE_ENV: "production", NEXT_TELEMETRY_DISABLED: "1" },
    logFile,
  });
}

/** Waits until the desk and everything it depends on answer; throws where that takes too long. */
export async function untilReady(address: string): Promise<void> {
  const deadline = performance.now() + START_MS;
  let last = "";
  while (performance.now() < deadline) {
    const { ready, text } = await askReady(address);
    if (ready) return;
    last = text;
    await sleep(100);
  }
  throw new StartError(`The desk did not get ready within ${START_MS / 1000} s. It last said: ${last}`);
}

async function askReady(address: string): Promise<{ ready: boolean; text: string }> {
  try {
    const response = await fetch(`${address}/readyz`, { signal: AbortSignal.timeout(5_000) });
    return { ready: response.ok, text: await response.text() };
  } catch (error) {
    return { ready: false, text: error instanceof Error ? error.message : String(error) };
  }
}
