import "server-only";
import { hash, verify } from "@node-rs/argon2";

/** Argon2id is the library's default kind; 64 MiB and three passes take about a tenth of a second per guess. */
const settings = { memoryCost: 65_536, timeCost: 3, parallelism: 1 };

export function hashPassword(password: string): Promise<string> {
  return hash(password, settings);
}

let nobody: Promise<string> | undefined;

/** Whether the password is the one hashed. Where there is no hash it takes the same time and is false. */
export async function verifyPassword(stored: string | null, password: string): Promise<boolean> {
  nobody ??= hashPassword("there is no such account");
  const matches = await verify(stored ?? (await nobody), password);
  return stored !== null && matches;
}
