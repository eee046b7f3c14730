import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { gunzipSync } from "node:zlib";
import { parseJson } from "@mulkko/shared/schema/parse";
import { type Static, Type } from "typebox";
import type { EndLine } from "../../src/backup/format.ts";
import { createLoader } from "../../src/backup/load.ts";
import { readBackup } from "../../src/backup/read.ts";
import type { Database } from "../../src/database/database.ts";

const COPY = fileURLToPath(new URL("./farm.backup.gz", import.meta.url));
const ANSWERS = new URL("./answers.json.gz", import.meta.url);

const User = Type.Union([Type.Literal("farmer"), Type.Literal("neighbor"), Type.Literal("admin")]);
const RecordedAnswers = Type.Object({
  recordedAt: Type.String(),
  answers: Type.Array(Type.Object({ user: User, path: Type.String(), body: Type.Unknown() })),
});

/** Answers of the earlier version to requests on the copy, and when it gave them. */
export type RecordedAnswers = Static<typeof RecordedAnswers>;

export function readRecordedAnswers(): RecordedAnswers {
  const read = parseJson(RecordedAnswers, gunzipSync(readFileSync(ANSWERS)).toString());
  if (!read.ok) throw new Error(`${ANSWERS} ${read.path} ${read.message}`);
  return read.value;
}

const nothing = async (): Promise<void> => undefined;

/** Load the copy into an empty database with the schema that it was made with; no later migration runs. */
export const loadFarmCopy = (database: Database): Promise<EndLine> =>
  database.transaction(async (tx) => {
    const files = { file: nothing, relayPiece: nothing };
    const loader = createLoader(tx, { isPglite: database.kind === "pglite", files });
    const end = await readBackup(COPY, loader);
    await loader.finish();
    return end;
  });
