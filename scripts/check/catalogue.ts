import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { CATALOGUE, readFields, readTypes } from "../catalogue/catalogue.ts";
import { MIGRATIONS, missingColumns } from "../catalogue/reading-columns.ts";
import type { Check, Finding } from "./finding.ts";

const LANGUAGES = ["ko", "en", "zh"] as const;

/** Return the keys of a group of labels, such as `field` or `deviceType`. */
function labelsIn(text: string, group: string): Set<string> {
  const labels: unknown = Object.entries(JSON.parse(text)).find(([key]) => key === group)?.[1];
  return new Set(typeof labels === "object" && labels !== null ? Object.keys(labels) : []);
}

async function missingLabels(root: string, group: string, names: readonly string[]): Promise<Finding[]> {
  const findings = await Promise.all(
    LANGUAGES.map(async (language): Promise<Finding[]> => {
      const file = `web/src/i18n/locales/${language}/common.json`;
      const labels = labelsIn(await readFile(join(root, file), "utf8"), group);
      return names
        .filter((name) => !labels.has(name))
        .map((name) => ({ file, message: `lacks ${group}.${name}: add "${name}" to "${group}"` }));
    }),
  );
  return findings.flat();
}

/**
 * Find fields and device types without a label in a language, and fields without their columns in the
 * database. The compiler finds the rest: the glyph and the unit.
 */
export const catalogue: Check = {
  name: "catalogue",
  async run(root) {
    if (!existsSync(join(root, CATALOGUE, "fields.ts"))) return [];
    const fields = await readFields(root);
    const labels = [
      ...(await missingLabels(
        root,
        "field",
        fields.map(({ name }) => name),
      )),
      ...(await missingLabels(root, "deviceType", await readTypes(root))),
    ];
    const missing = await Promise.all(
      fields.map(async (field): Promise<Finding[]> => {
        const columns = await missingColumns(root, [field]);
        if (columns.length === 0) return [];
        const tables = [...new Set(columns.map(({ table }) => table))].join(", ");
        return [
          {
            file: MIGRATIONS,
            message: `lacks columns of ${field.name} in ${tables}: run pnpm new-field ${field.name}`,
          },
        ];
      }),
    );
    return [...labels, ...missing.flat()];
  },
};
