import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";

/** Whether process `pid` lives and was started with `part` in its command line: ids of dead processes are given out anew. */
export function isRunning(pid: number, part: string): boolean {
  return Number.isInteger(pid) && pid > 0 && commandLine(pid).includes(part);
}

/** The command line of a living process; empty when there is none. */
function commandLine(pid: number): string {
  try {
    if (process.platform === "linux") return readFileSync(`/proc/${pid}/cmdline`, "utf8").replaceAll("\0", " ");
    return execFileSync("ps", ["-o", "command=", "-p", String(pid)], {
      encoding: "utf8",
      stdio: ["ignore", "pipe", "ignore"],
    });
  } catch {
    return "";
  }
}
