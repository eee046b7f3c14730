import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { biome } from "./biome.ts";
import { CHECKS } from "./checks.ts";
import { deadCode } from "./dead-code.ts";
import { docPaths } from "./doc-paths.ts";
import { fileNames } from "./file-names.ts";
import { type Check, describeFinding } from "./finding.ts";
import { layers } from "./layers.ts";
import { localeKeys } from "./locale-keys.ts";
import { ruleProofs } from "./rule-proofs.ts";
import { createSmallWorkspace, type SmallWorkspace } from "./small-workspace.ts";
import { types } from "./types.ts";

let workspace: SmallWorkspace;
beforeEach(async () => {
  workspace = await createSmallWorkspace();
});
afterEach(() => workspace.remove());

const found = async (check: Check): Promise<string[]> =>
  (await check.run(workspace.root)).map((finding) => describeFinding(finding));

describe("a workspace without faults", () => {
  it.each(CHECKS.map((check) => [check.name, check] as const))("[check] passes: %s", async (_name, check) => {
    expect(await found(check)).toEqual([]);
  });
});

describe("types", () => {
  it("[check] finds a type error in a referenced project", async () => {
    await workspace.write("relay/src/main.ts", 'export const port: number = "8080";\n');
    expect(await found(types)).toEqual([expect.stringMatching(/^relay\/src\/main\.ts:1 TS2322/)]);
  });

  it("[check] finds a use that no longer fits the contract", async () => {
    await types.run(workspace.root);
    await workspace.write("shared/src/rules.ts", "export const double = (value: string): string => value;\n");
    expect(await found(types)).toEqual([expect.stringMatching(/^relay\/src\/main\.ts:3 TS2345/)]);
  });
});

describe("dead code", () => {
  it("[check] finds an export of the contract that nothing imports", async () => {
    await workspace.write(
      "shared/src/rules.ts",
      "export const double = (value: number): number => value * 2;\nexport const half = 0.5;\n",
    );
    expect(await found(deadCode)).toEqual(["shared/src/rules.ts:2 half is exported and nothing imports it"]);
  });

  it("[check] finds a file that nothing imports", async () => {
    await workspace.write("relay/src/forgotten.ts", "export const forgotten = true;\n");
    expect(await found(deadCode)).toEqual(["relay/src/forgotten.ts nothing imports this file"]);
  });
});

describe("format and lint", () => {
  it("[check] finds a circle, also one of types alone", async () => {
    await workspace.write("web/src/a.ts", 'import type { B } from "./b.ts";\n\nexport type A = B | null;\n');
    await workspace.write("web/src/b.ts", 'import type { A } from "./a.ts";\n\nexport type B = A | 1;\n');
    expect(await found(biome)).toEqual([
      expect.stringMatching(/^web\/src\/a\.ts:1 lint\/suspicious\/noImportCycles/),
      expect.stringMatching(/^web\/src\/b\.ts:1 lint\/suspicious\/noImportCycles/),
    ]);
  });

  it.each([
    ["noFloatingPromises", "const wait = async (): Promise<void> => {};\nwait();\n"],
    ["noExplicitAny", "export const any = (value: any): unknown => value;\n"],
    ["noNonNullAssertion", "export const first = (list: string[]): string => list[0]!;\n"],
    ["noTsIgnore", "// @ts-ignore: no\nexport const one = 1;\n"],
    ["noBarrelFile", 'export { double } from "@mulkko/shared/rules";\n'],
    ["noEmptyBlockStatements", "try {\n  process.exitCode = 1;\n} catch {}\n"],
    ["noConsole", 'console.log("here");\n'],
  ])("[check] refuses what %s forbids", async (rule, text) => {
    await workspace.write("relay/src/careless.ts", text);
    expect(await found(biome)).toContainEqual(expect.stringContaining(rule));
  });

  it("[check] finds a file that is not formatted", async () => {
    await workspace.write("relay/src/main.ts", "process.exitCode=0\n");
    expect(await found(biome)).toEqual(["relay/src/main.ts:1 is not formatted; type: pnpm format"]);
  });

  it("[check] wants kebab-case names", async () => {
    await workspace.write("relay/src/pollPacing.ts", "process.exitCode = 0;\n");
    expect(await found(biome)).toEqual([expect.stringContaining("useFilenamingConvention")]);
  });
});

describe("layers", () => {
  it.each([
    ["relay/src/main.ts", "../../api/src/app.ts", "imports go one way"],
    ["relay/src/main.ts", "@mulkko/e2e/engines/postgres", "imports go one way"],
    ["relay/src/core/gather.test.ts", "@mulkko/e2e/stack/start-stack", "imports go one way"],
    ["shared/src/rules.ts", "../../web/src/main.ts", "imports go one way"],
    ["shared/src/rules.ts", "node:fs", "pure code"],
    ["relay/src/core/diff.ts", "fastify", "pure code"],
    ["relay/src/core/diff.ts", "../store/store.ts", "relay/src/core computes"],
    ["api/src/modules/farm/rules.ts", "pg", "pure code"],
    ["web/src/features/login/title.ts", "../sensors/model.ts", "features never import one another"],
    [
      "web/src/log/title.ts",
      "../features/sensors/model.ts",
      "a room of the client, which several features share",
    ],
    ["web/src/ui/layout/card.ts", "../../live/hooks.ts", "ui/ knows neither"],
    ["web/src/ui/layout/card.ts", "../../features/login/title.ts", "ui/ knows neither"],
    ["web/src/features/login/title.ts", "../../live/store.ts", "of live/ only hooks.ts"],
    ["web/src/main.ts", "node:path", "the browser has no node: modules"],
  ])("[check] %s may not import %s", async (file, specifier, sentence) => {
    await workspace.write(file, `import { thing } from "${specifier}";\n\nthing();\n`);
    expect(await found(layers)).toEqual([
      expect.stringContaining(`${file}:1 imports ${specifier}: ${sentence}`),
    ]);
  });

  it("[check] sees imports of types, re-exports and dynamic imports too", async () => {
    await workspace.write(
      "web/src/ui/card.ts",
      [
        'import type { A } from "../live/a.ts";',
        'export { b } from "../live/b.ts";',
        'export const c = () => import("../live/c.ts");',
      ].join("\n"),
    );
    const lines = (await layers.run(workspace.root)).map(({ line }) => line);
    expect([...new Set(lines)]).toEqual([1, 2, 3]);
  });

  it.each([
    ["relay/src/store/contract.suite.ts", "@mulkko/e2e/engines/redis"],
    ["api/src/database.test.ts", "@mulkko/e2e/engines/postgres"],
    ["relay/src/gateway/slow-link.suite.ts", "@mulkko/e2e/engines/tcp-proxy"],
    ["relay/bench/wire.bench.ts", "@mulkko/e2e/stack/start-stack"],
    ["web/src/app/root.tsx", "../live/connection.ts"],
    ["web/src/features/login/title.ts", "../../live/hooks.ts"],
    ["relay/src/core/diff.ts", "@mulkko/shared/rules"],
    ["shared/src/rules.test.ts", "node:fs"],
  ])("[check] %s may import %s", async (file, specifier) => {
    await workspace.write(file, `import { thing } from "${specifier}";\n\nthing();\n`);
    expect(await found(layers)).toEqual([]);
  });
});

describe("locale keys", () => {
  const file = (language: string) => `web/src/i18n/locales/${language}/login.json`;

  it("[check] finds a key that one language lacks", async () => {
    await workspace.write(file("zh"), "{}\n");
    expect(await found(localeKeys)).toEqual([`${file("zh")} lacks the key title`]);
  });

  it("[check] finds a namespace that one language lacks", async () => {
    await workspace.write("web/src/i18n/locales/ko/shell.json", "{}\n");
    await workspace.write("web/src/i18n/locales/en/shell.json", '{ "title": "Mulkko" }\n');
    expect(await found(localeKeys)).toContainEqual("web/src/i18n/locales/zh/shell.json lacks the key title");
  });

  it("[check] finds a key without a text", async () => {
    await workspace.write(file("en"), '{ "title": " " }\n');
    expect(await found(localeKeys)).toEqual([`${file("en")} title has no text`]);
  });

  it("[check] finds a placeholder that one language forgot", async () => {
    for (const language of ["ko", "en"]) await workspace.write(file(language), '{ "title": "{{name}}" }\n');
    expect(await found(localeKeys)).toEqual([
      `${file("zh")} title has other placeholders than the Korean text`,
    ]);
  });

  it("[check] wants the plural forms that a language has, and no others", async () => {
    await workspace.write(
      "web/src/features/login/title.ts",
      'export const title = (t: (key: string) => string): string => t("login:days");\n',
    );
    for (const language of ["ko", "en", "zh"])
      await workspace.write(file(language), '{ "days_other": "d" }\n');
    expect(await found(localeKeys)).toEqual([`${file("en")} lacks the key days_one`]);
  });

  it("[check] finds a key that no source file asks for", async () => {
    for (const language of ["ko", "en", "zh"]) {
      await workspace.write(file(language), '{ "title": "Mulkko", "old": { "text": "…" } }\n');
    }
    expect(await found(localeKeys)).toEqual([`${file("ko")} nothing asks for the key old.text`]);
  });

  it("[check] takes a key that is put together at run time for used", async () => {
    await workspace.write(
      "web/src/features/login/title.ts",
      "export const title = (t: (key: string) => string, name: string) => t(`login:title`) + t(`age.$" +
        "{name}`);\nexport const nameOf = (words: string) => `$" +
        "{words}:heading`;\n",
    );
    for (const language of ["ko", "en", "zh"]) {
      await workspace.write(file(language), '{ "title": "Mulkko", "heading": "…", "age": { "now": "…" } }\n');
    }
    expect(await found(localeKeys)).toEqual([]);
  });
});

describe("paths in documents", () => {
  it("[check] finds a quoted path and a link that lead nowhere", async () => {
    await workspace.write("README.md", "See `relay/src/gone.ts`.\n\nAnd [this](docs/gone.md#part).\n");
    expect(await found(docPaths)).toEqual(
      [
        "README.md:3 names docs/gone.md, which does not exist",
        "README.md:1 names relay/src/gone.ts, which does not exist",
      ].toSorted(),
    );
  });

  it("[check] reads neither addresses, topics, placeholders nor fenced blocks as dead paths", async () => {
    await workspace.write(
      "docs/adr/0001.md",
      [
        "`mulkko/{serial}/up`, `/api/v1/login`, [site](https://example.org/a), `web/src/features/<name>/title.ts`,",
        "[up](../../README.md), `shared/src/*.ts`, `relay/src/main.ts:3`",
        "```",
        "`relay/src/gone.ts`",
        "```",
      ].join("\n"),
    );
    expect(await found(docPaths)).toEqual([]);
  });
});

describe("files", () => {
  it.each([
    "utils.ts",
    "date-utils.ts",
    "helpers.ts",
    "ValveManager.tsx",
    "valve-manager.ts",
    "info.ts",
    "data.ts",
  ])("[check] refuses the name %s", async (name) => {
    await workspace.write(`web/src/${name}`, "export {};\n");
    expect(await found(fileNames)).toEqual([expect.stringContaining(name)]);
  });
});

describe("rules and their tests", () => {
  /** A test's name, written so that this file has none of it. */
  const proof = (...ids: string[]): string => `export const name = "${`[${ids.join(", ")}`}] holds";\n`;

  it("[check] finds a rule that no test is named by", async () => {
    await workspace.write("shared/PROTOCOL.md", "- HS-1 Says hello.\n- SUB-2 Is told.\n");
    expect(await found(ruleProofs)).toEqual(["shared/PROTOCOL.md:2 no test is named [SUB-2]"]);
    await workspace.write("relay/src/told.test.ts", proof("HS-1", "SUB-2"));
    expect(await found(ruleProofs)).toEqual([]);
  });

  it("[check] finds a test that is named by no rule", async () => {
    await workspace.write("web/src/typo.test.tsx", proof("SUB-22"));
    expect(await found(ruleProofs)).toEqual(["web/src/typo.test.tsx:1 is named by SUB-22, which is no rule"]);
  });
});
