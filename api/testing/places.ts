import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { adminBackup } from "@mulkko/shared/rest/operations/admin";
import { startPostgres } from "@mulkko/testing/engines/postgres";
import { quoted, readTables } from "../src/backup/catalogue.ts";
import { LEFT_OUT, ONLY_ROWS } from "../src/backup/format.ts";
import type { Place } from "../src/backup/snapshot.ts";
import type { Database } from "../src/database/database.ts";
import { openPglite } from "../src/database/pglite.ts";
import { openPostgres } from "../src/database/postgres.ts";
import { copyEmptyPglite } from "./pglite-template.ts";
import type { TestFarm } from "./test-farm.ts";

/** Rows by table, as text. */
export type Contents = Readonly<Record<string, readonly string[]>>;

/** Empty databases and folders for farms, of either kind. */
export interface Places {
  /** Folder for files of tests. */
  readonly root: string;
  create(kind: Database["kind"]): Promise<Place>;
  close(): Promise<void>;
}

export async function openPlaces(): Promise<Places> {
  const server = await startPostgres();
  const root = await mkdtemp(join(tmpdir(), "mulkko-places-"));
  let count = 0;
  return {
    root,
    async create(kind) {
      count += 1;
      const dataDir = join(root, `data-${count}`);
      await mkdir(dataDir);
      if (kind === "pglite") {
        await copyEmptyPglite(join(dataDir, "pgdata"));
        return { url: undefined, dataDir };
      }
      const own = await openPostgres(server.url);
      await own.exec(`create database farm_${count}`);
      await own.close();
      return { url: server.url.replace(/\/postgres$/, `/farm_${count}`), dataDir };
    },
    async close() {
      await server.stop();
      await rm(root, { recursive: true, force: true });
    },
  };
}

/** Return the environment of a farm at a place. */
export const environmentOf = ({ url }: Place): Record<string, string> => (url ? { DATABASE_URL: url } : {});

export const openPlace = ({ url, dataDir }: Place): Promise<Database> =>
  url ? openPostgres(url) : openPglite(join(dataDir, "pgdata"), () => undefined);

/** Return all rows that belong in a backup, in an order independent of the database. */
export async function contentsOf(database: Database): Promise<Contents> {
  const contents: Record<string, string[]> = {};
  for (const { name, columns } of await readTables(database)) {
    // The storage check writes this table by itself, even during a backup.
    if (LEFT_OUT.has(name) || name === "storage_probe") continue;
    const texts = columns.map((column) => `${quoted(column.name)}::text`).join(", ");
    const rows = await database.query<{ line: string }>(
      `select array_to_json(array[${texts}])::text as line from ${quoted(name)} where ${ONLY_ROWS[name] ?? "true"}`,
    );
    contents[name] = rows.map(({ line }) => line).sort();
  }
  return contents;
}

export async function contentsAt(place: Place): Promise<Contents> {
  const database = await openPlace(place);
  const contents = await contentsOf(database);
  await database.close();
  return contents;
}

/** Download a farm's backup into a file. */
export async function download(farm: TestFarm, file: string): Promise<string> {
  const { authorization } = await farm.signIn("overseer");
  const answer = await farm.app.inject({ url: adminBackup.path, headers: { authorization } });
  if (answer.statusCode !== 200) throw new Error(answer.body);
  await writeFile(file, answer.rawPayload);
  return file;
}
