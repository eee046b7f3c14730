import { resolve } from "node:path";
import { parseArgs } from "node:util";
import { FolderLockedError, FolderUnwritableError } from "@mulkko/shared/server/folder-lock";
import { ConfigError } from "@mulkko/shared/server/read-config";
import { readConfig } from "../config.ts";
import { DatabaseError } from "../database/database.ts";
import { DamagedDatabaseError } from "../database/pglite.ts";
import { BackupError } from "./format.ts";
import { type How, type Restored, restore } from "./restore.ts";

const USAGE = "pnpm --filter api run restore --file <backup.gz> [--replace] [--without-relay]";

/** Return a sentence for a fault that the operator can fix; null for an internal fault. */
function sentenceOf(error: unknown): string | null {
  const mendable = [BackupError, ConfigError, DamagedDatabaseError, FolderLockedError, FolderUnwritableError];
  if (error instanceof Error && mendable.some((kind) => error instanceof kind)) return error.message;
  if (error instanceof DatabaseError) return `The database refused the backup: ${error.message}.`;
  return null;
}

function argumentsOf(): How {
  const options = {
    file: { type: "string" },
    replace: { type: "boolean" },
    "without-relay": { type: "boolean" },
  } as const;
  try {
    // pnpm passes on the dashes that separate its own options from ours.
    const args = process.argv.slice(2).filter((word) => word !== "--");
    const {
      file,
      replace = false,
      "without-relay": withoutRelay = false,
    } = parseArgs({ args, options }).values;
    if (file) return { file, replace, withoutRelay };
  } catch (error) {
    throw new BackupError(`${error instanceof Error ? error.message : String(error)} (${USAGE})`);
  }
  throw new BackupError(`Name the backup file: ${USAGE}`);
}

function relaySentence({ relay = "none" }: Restored["head"], withoutRelay: boolean): string {
  if (relay === "redis")
    return "The backup does not contain the relay's data: it is in Redis, which needs a backup of its own.";
  if (relay === "none")
    return "The backup does not contain the relay's data: no relay stored it in the farm API's DATA_DIR.";
  return withoutRelay
    ? "The relay's data was not changed."
    : "The relay loads its data from the backup at its next start.";
}

function leftOutSentence({ leftOut = [] }: Restored["head"]): string {
  return leftOut.length > 0
    ? ` The backup does not contain what is not Mulkko's: ${leftOut.join(", ")}.`
    : "";
}

try {
  const how = argumentsOf();
  const config = readConfig(process.env);
  // Resolve paths from the operator's working directory, not from this package.
  const here = process.env.INIT_CWD ?? process.cwd();
  const place = { url: config.DATABASE_URL, dataDir: resolve(here, config.DATA_DIR) };
  // A relay on Redis would never read the restored file.
  const withoutRelay = how.withoutRelay || config.REDIS_URL !== undefined;
  const { head, end } = await restore(place, { ...how, withoutRelay, file: resolve(here, how.file) });
  const rows = Object.values(end.rows).reduce((sum, count) => sum + count, 0);
  const where = place.url ? "the database at DATABASE_URL" : place.dataDir;
  process.stdout.write(
    `Restored the backup of ${head.createdAt} into ${where}: ${rows} rows of ${Object.keys(end.rows).length} tables, ${end.files} files. ${relaySentence(head, withoutRelay)}${leftOutSentence(head)}\n`,
  );
} catch (error) {
  const sentence = sentenceOf(error);
  if (sentence === null) throw error;
  process.stderr.write(`${sentence} Nothing was changed.\n`);
  process.exitCode = 1;
}
