import { existsSync } from "node:fs";
import { join } from "node:path";
import Type from "typebox";
import Value from "typebox/value";
import type { Check } from "./finding.ts";
import { folderCircles } from "./folder-circles.ts";
import { runTool } from "./run-tool.ts";

const PACKAGES = ["shared", "api", "relay", "web", "testing", "e2e", "scripts"];

/** The fields of dependency-cruiser's JSON report that this check reads. */
const Report = Type.Object({
  modules: Type.Array(
    Type.Object({
      source: Type.String(),
      dependencies: Type.Array(Type.Object({ resolved: Type.String() })),
    }),
  ),
  summary: Type.Object({
    violations: Type.Array(
      Type.Object({
        from: Type.String(),
        to: Type.String(),
        rule: Type.Object({ name: Type.String() }),
        cycle: Type.Optional(Type.Array(Type.Object({ name: Type.String() }))),
      }),
    ),
    ruleSetUsed: Type.Object({
      forbidden: Type.Array(Type.Object({ name: Type.String(), comment: Type.String() })),
    }),
  }),
});

/**
 * Find imports that `.dependency-cruiser.cjs` forbids (between packages, folders, features, and circles of
 * files), and circles of folders.
 */
export const layers: Check = {
  name: "layers (dependency-cruiser)",
  async run(root) {
    const { stdout, stderr } = await runTool(root, "depcruise", [
      "--config",
      ".dependency-cruiser.cjs",
      "--output-type",
      "json",
      ...PACKAGES.filter((name) => existsSync(join(root, name))),
    ]);
    let report: unknown;
    try {
      report = JSON.parse(stdout);
    } catch {
      return [{ file: null, message: `dependency-cruiser: ${stdout}${stderr}` }];
    }
    const { modules, summary } = Value.Parse(Report, report);
    const { violations, ruleSetUsed } = summary;
    const sentences = new Map(ruleSetUsed.forbidden.map(({ name, comment }) => [name, comment]));
    const forbidden = violations.map(({ from, to, rule, cycle }) => ({
      file: from,
      message: `imports ${[to, ...(cycle ?? []).slice(1).map(({ name }) => name)].join(" → ")}: ${sentences.get(rule.name)}`,
    }));
    return [...forbidden, ...folderCircles(modules)];
  },
};
