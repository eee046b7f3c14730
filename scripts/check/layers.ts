import type { Check } from "./finding.ts";
import { importsOf } from "./imports.ts";
import { LAYER_RULES } from "./layer-rules.ts";
import { sourceFiles } from "./source-files.ts";

/** Imports that go a forbidden way between packages and folders. */
export const layers: Check = {
  name: "layers",
  async run(root) {
    const files = await sourceFiles(root);
    const statements = (await Promise.all(files.map((file) => importsOf(root, file)))).flat();
    return statements.flatMap((statement) =>
      LAYER_RULES.filter((rule) => rule.forbids(statement)).map((rule) => ({
        file: statement.from,
        line: statement.line,
        message: `imports ${statement.specifier}: ${rule.sentence}`,
      })),
    );
  },
};
