import { parseArgs } from "node:util";
import { migrate, migrationScript, releaseKeyView, restoreKeyView } from "@/lib/db/migrate";
import { env } from "@/lib/env";
import { withEmbedded } from "@/lib/server/embedded";
import { runCommand } from "./command";

/** `npm run migrate`: brings the database up to date. `--sql` prints what that would run, for a person with psql. */
runCommand(async () => {
  const { values } = parseArgs({
    options: {
      sql: { type: "boolean" },
      "release-view": { type: "boolean" },
      "restore-view": { type: "boolean" },
    },
  });
  const { IDEMDESK_OWNER_DATABASE_URL: url, IDEMDESK_DATA_DIR } = env();
  if (values.sql) {
    console.log(await migrationScript(url));
    return;
  }
  const action = values["release-view"] ? release : values["restore-view"] ? restore : apply;
  console.log(await (url ? action(url) : withEmbedded(IDEMDESK_DATA_DIR, ({ ownerUrl }) => action(ownerUrl()))));
});

async function apply(url: string): Promise<string> {
  const applied = await migrate(url);
  return applied.length > 0 ? applied.map((name) => `applied ${name}`).join("\n") : "Nothing to apply.";
}

async function release(url: string): Promise<string> {
  await releaseKeyView(url);
  return "The view idemdesk.key is gone: the desk sees no keys until you run npm run migrate -- --restore-view";
}

async function restore(url: string): Promise<string> {
  return (await restoreKeyView(url)) ? "The view idemdesk.key is back." : "The view idemdesk.key was there already.";
}
