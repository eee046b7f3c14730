import { resolve } from "node:path";
import { text } from "node:stream/consumers";
import { parseArgs } from "node:util";
import { systemClock } from "@mulkko/shared/rules/clock";
import { FolderLockedError, FolderUnwritableError } from "@mulkko/shared/server/folder-lock";
import { ConfigError } from "@mulkko/shared/server/read-config";
import { readConfig } from "../config.ts";
import { DatabaseError } from "../database/database.ts";
import { SchemaError } from "../database/migrate.ts";
import { DamagedDatabaseError } from "../database/pglite.ts";
import { newPassword, SetPasswordError, setPasswordAt } from "./set-password.ts";

const USAGE = "pnpm --filter api run set-password --user <name> [--stdin]";

/** Return a sentence for a fault that the operator can fix; null for an internal fault. */
function sentenceOf(error: unknown): string | null {
  const mendable = [
    ...[SetPasswordError, ConfigError, DamagedDatabaseError],
    ...[FolderLockedError, FolderUnwritableError, SchemaError],
  ];
  if (error instanceof Error && mendable.some((kind) => error instanceof kind)) return error.message;
  if (error instanceof DatabaseError) return `The database does not answer (DATABASE_URL): ${error.message}.`;
  return null;
}

function argumentsOf(): { readonly user: string; readonly stdin: boolean } {
  try {
    // pnpm passes on the dashes that separate its own options from ours.
    const args = process.argv.slice(2).filter((word) => word !== "--");
    const options = { user: { type: "string" }, stdin: { type: "boolean" } } as const;
    const { user = "", stdin = false } = parseArgs({ args, options }).values;
    return { user, stdin };
  } catch (error) {
    throw new SetPasswordError(`${error instanceof Error ? error.message : String(error)} (${USAGE})`);
  }
}

try {
  const { user, stdin } = argumentsOf();
  const config = readConfig(process.env);
  // Resolve paths from the operator's working directory, not from this package.
  const here = process.env.INIT_CWD ?? process.cwd();
  const place = { url: config.DATABASE_URL, dataDir: resolve(here, config.DATA_DIR) };
  const password = stdin ? (await text(process.stdin)).replace(/\r?\n$/, "") : newPassword();
  const set = await setPasswordAt(place, user, password, systemClock.now());
  const lines = [
    stdin
      ? `The password of ${set.username} is set.`
      : `The new password of ${set.username} is ${password}: change it after signing in.`,
    "All sessions of this user have ended.",
    ...(set.disabled ? ["The account is suspended: another administrator has to lift that."] : []),
  ];
  process.stdout.write(`${lines.join("\n")}\n`);
} catch (error) {
  const sentence = sentenceOf(error);
  if (sentence === null) throw error;
  process.stderr.write(`${sentence} Nothing was changed.\n`);
  process.exitCode = 1;
}
