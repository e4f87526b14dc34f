import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { claimDataDir } from "@/lib/server/data-dir";

let folder: string;
beforeEach(() => {
  folder = join(mkdtempSync(join(tmpdir(), "idemdesk-unit-")), "data");
});
afterEach(() => rmSync(join(folder, ".."), { recursive: true, force: true }));

function put(name: string, content = ""): void {
  mkdirSync(join(folder, name, ".."), { recursive: true });
  writeFileSync(join(folder, name), content);
}

test("a new folder is made, and free again after release", () => {
  claimDataDir(folder).release();
  claimDataDir(folder).release();
});

test("files of an earlier run are ours", () => {
  for (const name of ["secrets.json", "web.log", "postgres.log", "postgres/PG_VERSION", ".DS_Store"]) put(name, "18\n");
  expect(claimDataDir(folder).postgres).toBe(join(folder, "postgres"));
});

describe("refuses, and says what to do", () => {
  const refusal = () => {
    try {
      claimDataDir(folder);
    } catch (error) {
      if (error instanceof Error) return error.message;
    }
    throw new Error("it was claimed");
  };

  test("a file where the folder should be", () => {
    mkdirSync(join(folder, ".."), { recursive: true });
    writeFileSync(folder, "");
    expect(refusal()).toMatch(/is not a folder that can be written\. Set IDEMDESK_DATA_DIR/);
  });

  test("somebody else's files", () => {
    put("thesis.docx");
    put("photos/1.jpg");
    expect(refusal()).toMatch(/not Idemdesk's \((photos, thesis\.docx|thesis\.docx, photos)\)\. Set IDEMDESK_DATA_DIR/);
  });

  test("a database folder without its version", () => {
    put("postgres/base/1", "rubbish");
    expect(refusal()).toMatch(/is damaged: PG_VERSION cannot be read\. Restore it from a backup, or start anew: mv/);
  });

  test("a version file of rubbish", () => {
    put("postgres/PG_VERSION", "\0\0\0");
    expect(refusal()).toMatch(/PG_VERSION cannot be read/);
  });

  test("a database of another PostgreSQL", () => {
    put("postgres/PG_VERSION", "15\n");
    expect(refusal()).toMatch(/was made by PostgreSQL 15, this is 18/);
  });

  test("a folder that a running desk holds; free again when that one has died", async () => {
    const holder = spawn(process.execPath, ["--conditions=react-server", "-e", "setInterval(() => {}, 1000)"]);
    await once(holder, "spawn");
    put("idemdesk.pid", `${holder.pid}\n`);
    expect(refusal()).toBe(
      `${folder} is in use by an Idemdesk that is running (process ${holder.pid}). Stop that one, or set IDEMDESK_DATA_DIR to another folder.`,
    );
    holder.kill("SIGKILL");
    await once(holder, "exit");
    claimDataDir(folder).release();
  });
});

test("a lock whose process is dead, or is another program by now, is taken over", () => {
  for (const holder of ["999999999", "1", "rubbish"]) {
    put("idemdesk.pid", holder);
    claimDataDir(folder).release();
  }
});
