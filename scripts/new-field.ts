import { readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { readFields } from "./catalogue/catalogue.ts";
import { addColumns, MIGRATIONS, missingColumns } from "./catalogue/reading-columns.ts";
import { ROOT } from "./root.ts";

/** Write the migration that gives a field of the catalogue its columns: `pnpm new-field par`. */
const fail = (sentence: string): void => {
  console.error(sentence);
  process.exitCode = 1;
};

const name = process.argv[2];
const field = (await readFields(ROOT)).find((one) => one.name === name);
if (field === undefined) {
  fail(`Usage: pnpm new-field <name>. Add ${name ?? "the field"} to shared/src/catalogue/fields.ts first.`);
} else {
  const columns = await missingColumns(ROOT, [field]);
  const newest = (await readdir(join(ROOT, MIGRATIONS))).toSorted().at(-1) ?? "0000";
  const number = String(Number(newest.slice(0, 4)) + 1).padStart(4, "0");
  const word = field.name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
  const file = `${MIGRATIONS}/${number}-${word}.sql`;
  if (columns.length === 0) fail(`${field.name} has all its columns already.`);
  else {
    await writeFile(join(ROOT, file), addColumns(columns));
    console.info(`Wrote ${file}.`);
  }
}
