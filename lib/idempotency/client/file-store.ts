import { createHash, randomUUID } from "node:crypto";
import { mkdir, open, readdir, readFile, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import type { OperationStore, PendingOperation } from "./store";

/** Keeps each operation in a file of its own, written whole and synced before it is named: a crash leaves old or new. */
export function fileStore(directory: string): OperationStore {
  const path = (id: string) => join(directory, `${createHash("sha256").update(id).digest("hex")}.json`);
  return {
    load: (id) => read(path(id)),
    async save(operation) {
      await mkdir(directory, { recursive: true });
      const draft = join(directory, `${randomUUID()}.draft`);
      await writeSynced(draft, JSON.stringify(operation));
      await rename(draft, path(operation.id));
    },
    remove: (id) => rm(path(id), { force: true }),
    async list() {
      await mkdir(directory, { recursive: true });
      const names = (await readdir(directory)).filter((name) => name.endsWith(".json"));
      const operations = await Promise.all(names.map((name) => read(join(directory, name))));
      return operations.filter((operation) => operation !== null);
    },
  };
}

async function read(path: string): Promise<PendingOperation | null> {
  try {
    return JSON.parse(await readFile(path, "utf8"));
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return null;
    throw error;
  }
}

async function writeSynced(path: string, text: string): Promise<void> {
  // Only the owner may read it: the file holds a key and a body.
  const file = await open(path, "wx", 0o600);
  try {
    await file.writeFile(text);
    await file.sync();
  } finally {
    await file.close();
  }
}
