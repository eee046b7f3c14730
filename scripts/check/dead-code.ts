import Type from "typebox";
import Value from "typebox/value";
import type { Check, Finding } from "./finding.ts";
import { runTool } from "./run-tool.ts";

const Issue = Type.Object({ name: Type.String(), line: Type.Optional(Type.Number()) });
const Issues = Type.Optional(Type.Array(Issue));

/** The fields of knip's JSON report that this check reads. */
const Report = Type.Object({
  issues: Type.Array(
    Type.Object({
      file: Type.String(),
      files: Issues,
      exports: Issues,
      types: Issues,
      dependencies: Issues,
      devDependencies: Issues,
      optionalPeerDependencies: Issues,
      unlisted: Issues,
      unresolved: Issues,
      binaries: Issues,
      catalog: Issues,
      catalogReferences: Issues,
    }),
  ),
});

const MEANING = {
  files: "nothing imports this file",
  exports: "is exported and nothing imports it",
  types: "is an exported type and nothing imports it",
  dependencies: "is a dependency that nothing imports",
  devDependencies: "is a devDependency that nothing uses",
  optionalPeerDependencies: "is an optional peer that is imported",
  unlisted: "is imported and not in package.json",
  unresolved: "is imported and cannot be found",
  binaries: "is run and not in package.json",
  catalog: "is in the catalog and nothing uses it",
  catalogReferences: "is not in the catalog",
} as const;

const kinds = Object.keys(MEANING) as (keyof typeof MEANING)[];

/** Find unused files, exports and dependencies (knip); use by tests alone counts as use. */
export const deadCode: Check = {
  name: "dead code (knip)",
  async run(root) {
    const { stdout, stderr } = await runTool(root, "knip", ["--reporter", "json", "--no-config-hints"]);
    let report: unknown;
    try {
      report = JSON.parse(stdout);
    } catch {
      return [{ file: null, message: `knip: ${stdout}${stderr}` }];
    }
    return Value.Parse(Report, report).issues.flatMap((entry): Finding[] =>
      kinds.flatMap((kind) =>
        (entry[kind] ?? []).map(({ name, line }) => ({
          file: entry.file,
          ...(line === undefined ? {} : { line }),
          message: kind === "files" ? MEANING.files : `${name} ${MEANING[kind]}`,
        })),
      ),
    );
  },
};
