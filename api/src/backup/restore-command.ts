import { resolve } from "node:path";
import { parseArgs } from "node:util";
import { ConfigError, readConfig } from "../config.ts";
import { DatabaseError } from "../database/database.ts";
import { FolderLockedError } from "../database/folder-lock.ts";
import { BackupError } from "./format.ts";
import { restore } from "./restore.ts";

const USAGE = "pnpm --filter api run restore --file <backup.gz> [--replace]";

/** A sentence for faults that the operator can mend; null for our own. */
function sentenceOf(error: unknown): string | null {
  const mendable = [BackupError, ConfigError, FolderLockedError];
  if (error instanceof Error && mendable.some((kind) => error instanceof kind)) return error.message;
  if (error instanceof DatabaseError) return `The database refused the backup: ${error.message}.`;
  return null;
}

function argumentsOf(): { file: string; replace: boolean } {
  const options = { file: { type: "string" }, replace: { type: "boolean" } } as const;
  try {
    // pnpm hands on the dashes that part its own options from ours.
    const args = process.argv.slice(2).filter((word) => word !== "--");
    const { file, replace = false } = parseArgs({ args, options }).values;
    if (file) return { file, replace };
  } catch (error) {
    throw new BackupError(`${error instanceof Error ? error.message : String(error)} (${USAGE})`);
  }
  throw new BackupError(`Which backup? ${USAGE}`);
}

try {
  const { file, replace } = argumentsOf();
  const config = readConfig(process.env);
  // Paths are meant from where the command was typed, not from this package.
  const here = process.env.INIT_CWD ?? process.cwd();
  const place = { url: config.DATABASE_URL, dataDir: resolve(here, config.DATA_DIR) };
  const { head, end } = await restore(place, { file: resolve(here, file), replace });
  const rows = Object.values(end.rows).reduce((sum, count) => sum + count, 0);
  const where = place.url ? "the database at DATABASE_URL" : place.dataDir;
  process.stdout.write(
    `Restored the backup of ${head.createdAt} into ${where}: ${rows} rows of ${Object.keys(end.rows).length} tables, ${end.files} files.\n`,
  );
} catch (error) {
  const sentence = sentenceOf(error);
  if (sentence === null) throw error;
  process.stderr.write(`${sentence} Nothing was changed.\n`);
  process.exitCode = 1;
}
