import { existsSync } from "node:fs";
import { join, posix } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { biome } from "./biome.ts";
import { CHECKS } from "./checks.ts";
import { deadCode } from "./dead-code.ts";
import { docPaths } from "./doc-paths.ts";
import { documentedOrder } from "./documented-order.ts";
import { documentedVariables } from "./documented-variables.ts";
import { farmApiPaths } from "./farm-api-paths.ts";
import { fileNames } from "./file-names.ts";
import { type Check, describeFinding } from "./finding.ts";
import { layers } from "./layers.ts";
import { localeKeys } from "./locale-keys.ts";
import { logEvents } from "./log-events.ts";
import { ruleProofs } from "./rule-proofs.ts";
import { selectors } from "./selectors.ts";
import { createSmallWorkspace, type SmallWorkspace } from "./small-workspace.ts";
import { renderSpecCoverage, SPEC_COVERAGE, specCoverage } from "./spec-coverage.ts";
import { readTestTitles } from "./test-titles.ts";
import { types } from "./types.ts";
import { unboundMethods } from "./unbound-methods.ts";

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

describe("methods of classes", () => {
  const COUNTER = [
    "export class Counter {",
    "  #count = 0;",
    "  add(by: number): void {",
    "    this.#count += by;",
    "  }",
    "  get count(): number {",
    "    return this.#count;",
    "  }",
    "}",
    "const counter = new Counter();",
    "",
  ].join("\n");

  it.each([
    ["as an argument", "[1, 2].forEach(counter.add);"],
    ["by its name", "const { add } = counter; add(1);"],
    ["by another name", "const { add: more } = counter; more(1);"],
    ["with the whole object", "const copy = { ...counter }; copy.add(1);"],
    ["as a value", "const add = counter.add; add(1);"],
    ["of a part of its type", 'const part: Pick<Counter, "add"> = counter; [1].forEach(part.add);'],
    [
      "of an interface that a class implements",
      "interface Adder { add(by: number): void } export class Other extends Counter implements Adder {} const adder: Adder = new Other(); [1].forEach(adder.add);",
    ],
  ])("[check] finds one that is passed on without its object, %s", async (_, line) => {
    await workspace.write("relay/src/main.ts", `${COUNTER}${line}\n`);
    expect(await found(unboundMethods)).toEqual([
      expect.stringMatching(/^relay\/src\/main\.ts:11 `add` is a method of a class/),
    ]);
  });

  it.each([
    ["is called", "counter.add(1);"],
    ["is called in a function", "[1].forEach((by) => counter.add(by));"],
    [
      "is a function of an object",
      "const api = { add: (by: number) => counter.add(by) }; [1].forEach(api.add);",
    ],
    [
      "is of an interface without a class",
      "interface Adder { add(by: number): void } const adder: Adder = { add: (by) => counter.add(by) }; [1].forEach(adder.add);",
    ],
  ])("[check] accepts one that %s", async (_, line) => {
    await workspace.write("relay/src/main.ts", `${COUNTER}${line}\n`);
    expect(await found(unboundMethods)).toEqual([]);
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

  it("[check] requires kebab-case names", async () => {
    await workspace.write("relay/src/pollPacing.ts", "process.exitCode = 0;\n");
    expect(await found(biome)).toEqual([expect.stringContaining("useFilenamingConvention")]);
  });
});

describe("layers", () => {
  const write = async (file: string, specifier: string): Promise<void> => {
    await workspace.write(file, `import { thing } from "${specifier}";\n\nthing();\n`);
    const target = specifier.startsWith("@mulkko/testing/")
      ? `testing/${specifier.slice("@mulkko/testing/".length)}.ts`
      : posix.join(posix.dirname(file), specifier);
    if (/^(@mulkko\/testing|\.)/.test(specifier) && !existsSync(join(workspace.root, target)))
      await workspace.write(target, "export const thing = (): void => undefined;\n");
  };

  it.each([
    ["relay/src/services.ts", "../../api/src/config.ts", "imports go one way"],
    ["relay/src/services.ts", "@mulkko/testing/engines/postgres", "imports go one way"],
    ["relay/src/store/gather.test.ts", "@mulkko/testing/stack/start-stack", "imports go one way"],
    ["shared/src/rules/quality.ts", "../../../web/src/main.tsx", "imports go one way"],
    ["shared/src/rules/quality.ts", "node:fs", "pure code"],
    ["shared/src/rules/quality.ts", "../rest/sensor.ts", "folders of shared import only those before them"],
    ["relay/src/store/changes-since.ts", "node:fs", "pure code"],
    ["relay/src/store/store.ts", "../alarms/alarm.ts", "folders of relay import only those before them"],
    ["relay/src/store/store.ts", "../services.ts", "main, app, services and config compose"],
    ["api/src/farms/rules.ts", "node:net", "pure code"],
    ["api/src/history/reading.ts", "../ingest/ingest.ts", "folders of api import only those before them"],
    ["web/src/features/login/label.ts", "../sensors/model.ts", "features never import one another"],
    ["web/src/domain/log/title.ts", "../../features/sensors/model.ts", "folders of web import only those"],
    ["web/src/domain/time/now.ts", "../log/title.ts", "folders of web/src/domain import only those"],
    ["web/src/wall/label.ts", "../features/sensors/model.ts", "the wall is a client of its own"],
    ["web/src/components/card.ts", "../live/hooks.ts", "components/ know nothing of live values and REST"],
    ["web/src/components/card.ts", "../api/hooks.ts", "components/ know nothing of live values and REST"],
    ["web/src/features/login/label.ts", "../../live/store.ts", "of live/ only hooks.ts"],
    ["web/src/login.ts", "node:path", "the browser has no node: modules"],
  ])("[check] %s may not import %s", async (file, specifier, sentence) => {
    await write(file, specifier);
    expect(await found(layers)).toEqual([expect.stringContaining(`: ${sentence}`)]);
  });

  it("[check] finds imports of types, re-exports and dynamic imports too", async () => {
    for (const name of ["a", "b", "c"]) {
      await workspace.write(`web/src/live/${name}.ts`, `export type A = 1;\nexport const ${name} = 1;\n`);
    }
    await workspace.write(
      "web/src/components/card.ts",
      [
        'import type { A } from "../live/a.ts";',
        'export { b } from "../live/b.ts";',
        'export const c = () => import("../live/c.ts");',
      ].join("\n"),
    );
    const targets = (await found(layers)).map((message) => /live\/\w/.exec(message)?.[0]);
    expect([...new Set(targets)].toSorted()).toEqual(["live/a", "live/b", "live/c"]);
  });

  it("[check] finds a circle of files", async () => {
    await workspace.write("relay/src/store/a.ts", 'import { b } from "./b.ts";\n\nexport const a = b;\n');
    await workspace.write("relay/src/store/b.ts", 'import { a } from "./a.ts";\n\nexport const b = a;\n');
    expect(await found(layers)).toContainEqual(expect.stringContaining("imports form a circle"));
  });

  it("[check] finds a circle of folders beside each other", async () => {
    await write("web/src/components/menu/field.ts", "../table/row.ts");
    expect(await found(layers)).toEqual([]);
    await write("web/src/components/table/cell.ts", "../menu/field.ts");
    expect(await found(layers)).toEqual([expect.stringContaining("folders form a circle")]);
  });

  it.each([
    ["relay/src/store/contract.suite.ts", "@mulkko/testing/engines/redis"],
    ["relay/src/displays/pairing.test.ts", "@mulkko/testing/stack/displays"],
    ["api/src/database/database.test.ts", "@mulkko/testing/engines/postgres"],
    ["relay/bench/wire.bench.ts", "@mulkko/testing/stack/start-stack"],
    ["web/src/app/root.tsx", "../live/connection.ts"],
    ["web/src/features/login/label.ts", "../../live/hooks.ts"],
    ["relay/src/alarms/alarm.ts", "../store/store.ts"],
    ["shared/src/rules.test.ts", "node:fs"],
  ])("[check] %s may import %s", async (file, specifier) => {
    await write(file, specifier);
    expect(await found(layers)).toEqual([]);
  });
});

describe("locale keys", () => {
  const file = (language: string) => `web/src/i18n/locales/${language}/app.json`;

  it("[check] finds a key that one language lacks", async () => {
    await workspace.write(file("zh"), "{}\n");
    expect(await found(localeKeys)).toEqual([`${file("zh")} lacks the key login:title`]);
  });

  it("[check] finds a file that one language lacks", async () => {
    await workspace.write("web/src/i18n/locales/ko/wall.json", "{}\n");
    await workspace.write("web/src/i18n/locales/en/wall.json", '{ "wall": { "title": "Mulkko" } }\n');
    expect(await found(localeKeys)).toContainEqual(
      "web/src/i18n/locales/zh/wall.json lacks the key wall:title",
    );
  });

  it("[check] finds texts of the administration outside its pages, which do not load them", async () => {
    for (const language of ["ko", "en", "zh"])
      await workspace.write(
        `web/src/i18n/locales/${language}/admin.json`,
        '{ "fleet": { "title": "Fleet" } }\n',
      );
    const text = 'export const title = (t: (key: string) => string): string => t("fleet:title");\n';
    await workspace.write("web/src/features/admin-fleet/fleet-title.ts", text);
    expect(await found(localeKeys)).toEqual([]);
    await workspace.write("web/src/features/login/fleet-title.ts", text);
    expect(await found(localeKeys)).toEqual([
      'web/src/features/login/fleet-title.ts uses "fleet", which only pages with admin.json load',
    ]);
  });

  it("[check] finds a key without a text", async () => {
    await workspace.write(file("en"), '{ "login": { "title": " " } }\n');
    expect(await found(localeKeys)).toEqual([`${file("en")} login:title has no text`]);
  });

  it("[check] finds a placeholder that one language lacks", async () => {
    for (const language of ["ko", "en"])
      await workspace.write(file(language), '{ "login": { "title": "{{name}}" } }\n');
    expect(await found(localeKeys)).toEqual([
      `${file("zh")} login:title has other placeholders than the Korean text`,
    ]);
  });

  it("[check] requires the plural forms that a language has, and no others", async () => {
    await workspace.write(
      "web/src/features/login/title.ts",
      'export const title = (t: (key: string) => string): string => t("login:days");\n',
    );
    for (const language of ["ko", "en", "zh"])
      await workspace.write(file(language), '{ "login": { "days_other": "d" } }\n');
    expect(await found(localeKeys)).toEqual([`${file("en")} lacks the key login:days_one`]);
  });

  it("[check] finds a key that no source file uses", async () => {
    for (const language of ["ko", "en", "zh"]) {
      await workspace.write(file(language), '{ "login": { "title": "Mulkko", "old": { "text": "…" } } }\n');
    }
    expect(await found(localeKeys)).toEqual([`${file("ko")} nothing asks for the key login:old.text`]);
  });

  it("[check] counts a key that is composed at run time as used", async () => {
    await workspace.write(
      "web/src/features/login/title.ts",
      "export const title = (t: (key: string) => string, name: string) => t(`login:title`) + t(`age.$" +
        "{name}`);\nexport const nameOf = (words: string) => `$" +
        "{words}:heading`;\n",
    );
    for (const language of ["ko", "en", "zh"]) {
      await workspace.write(
        file(language),
        '{ "login": { "title": "Mulkko", "heading": "…", "age": { "now": "…" } } }\n',
      );
    }
    expect(await found(localeKeys)).toEqual([]);
  });
});

describe("paths in documents", () => {
  it("[check] finds a quoted path and a link without a target", async () => {
    await workspace.write("README.md", "See `relay/src/gone.ts`.\n\nAnd [this](docs/gone.md#part).\n");
    expect(await found(docPaths)).toEqual(
      [
        "README.md:3 names docs/gone.md, which does not exist",
        "README.md:1 names relay/src/gone.ts, which does not exist",
      ].toSorted(),
    );
  });

  it("[check] finds a path of tests to run that does not exist, in a fenced block too", async () => {
    await workspace.write(
      "README.md",
      "Type `vitest run web/gone`:\n\n```sh\npnpm exec vitest run relay/src relay/src/gone hello\n```\n",
    );
    expect((await found(docPaths)).toSorted()).toEqual([
      "README.md:1 names web/gone, which does not exist",
      "README.md:4 names relay/src/gone, which does not exist",
    ]);
  });

  it("[check] does not read addresses, topics, placeholders or fenced blocks as dead paths", async () => {
    await workspace.write(
      "docs/dev/adr/0001.md",
      [
        "`mulkko/{serial}/up`, `/api/v1/login`, [site](https://example.org/a), `web/src/features/<name>/title.ts`,",
        "[up](../../../README.md), `shared/src/*.ts`, `relay/src/main.ts:3`",
        "```",
        "`relay/src/gone.ts`",
        "```",
      ].join("\n"),
    );
    expect(await found(docPaths)).toEqual([]);
  });
});

describe("documents that code and other documents refer to", () => {
  it("[check] finds a link to a heading that does not exist", async () => {
    await workspace.write(
      "docs/a.md",
      "# A page\n\n## Your own `MQTT` broker, twice\n\n```\n# no heading\n```\n",
    );
    await workspace.write(
      "README.md",
      "[a](docs/a.md#your-own-mqtt-broker-twice) [b](docs/a.md#gone) [c](docs/a.md#no-heading) [d](#none)\n",
    );
    expect((await found(docPaths)).toSorted()).toEqual([
      "README.md:1 leads to #gone of docs/a.md, which has no such heading",
      "README.md:1 leads to #no-heading of docs/a.md, which has no such heading",
      "README.md:1 leads to #none of README.md, which has no such heading",
    ]);
  });

  it("[check] finds a document that code names and that does not exist, but leaves tests alone", async () => {
    const gone = `docs/${"gone.md"}`;
    await workspace.write("relay/src/a.ts", `export const hint = "see ${gone}";\n`);
    await workspace.write("relay/src/a.test.ts", `export const quoted = "${gone}";\n// as ${gone} says\n`);
    expect(await found(docPaths)).toEqual([
      `relay/src/a.test.ts:2 names ${gone}, which does not exist`,
      `relay/src/a.ts:1 names ${gone}, which does not exist`,
    ]);
  });
});

describe("documented variables", () => {
  it("[check] finds a variable that is read and not listed, and one that is listed and not read", async () => {
    await workspace.write(
      "docs/configuration.md",
      "| `HOST`, `PORT` | 8080 | address |\n| `OLD` | | gone |\n",
    );
    await workspace.write(
      "relay/src/config.ts",
      "export const Config = Type.Object({\n  /** Where it listens. */\n  HOST: Text,\n  POLL_MS: Ms,\n});\n",
    );
    await workspace.write("scripts/start.ts", 'const port = portOf(environment, "PORT", 8080);\n');
    await workspace.write("api/src/cli.ts", "const { path } = process.env.SECRET_WORD;\n");
    await workspace.write("api/src/cli.test.ts", "const { seed } = process.env.ONLY_IN_TESTS;\n");
    expect(await found(documentedVariables)).toEqual([
      "api/src/cli.ts reads SECRET_WORD, which docs/configuration.md does not list",
      "relay/src/config.ts reads POLL_MS, which docs/configuration.md does not list",
      "docs/configuration.md:2 lists OLD, which is not read",
    ]);
  });
});

describe("documented order of folders", () => {
  it("[check] finds an order that differs from the rules of imports", async () => {
    const order = async (shared: string) => {
      await workspace.write(
        ".dependency-cruiser.cjs",
        'const ORDER = {\n  shared: "schema rules",\n  relay:\n    "store http",\n};\n',
      );
      await workspace.write(
        "docs/dev/architecture.md",
        `- **shared:** ${shared}\n- **relay:** store → http\n`,
      );
      return found(documentedOrder);
    };
    expect(await order("schema → rules")).toEqual([]);
    expect(await order("rules → schema")).toEqual([
      "docs/dev/architecture.md gives another order of shared than .dependency-cruiser.cjs: schema → rules",
    ]);
  });
});

describe("coverage of the specification", () => {
  const page = (proof: string, sums: string, further: string) =>
    [
      "| what | proved by |",
      "| --- | --- |",
      `| a button | ${proof} |`,
      "| a colour | eye |",
      "",
      "<!-- sums -->",
      sums,
      "<!-- end of sums -->",
      "<!-- further tests -->",
      further,
      "<!-- end of further tests -->",
      "",
    ].join("\n");
  const CURRENT = page(
    "“[ui] shows a button” (button.test.ts)",
    "2 lines: 1 with a test, 1 looked at in pictures, 0 by a check or not yet.",
    "- [spec 2] sorts (button.test.ts)",
  );

  beforeEach(() =>
    workspace.write(
      "web/src/button.test.ts",
      ["[ui] shows a button", "[spec 2] sorts"].map((title) => `test("${title}", () => {});\n`).join(""),
    ),
  );

  it("[check] completes what is quoted, with its file, the sums and the tests that no line quotes", async () => {
    const { text, unknown } = renderSpecCoverage(
      page("“[ui] shows”", "", ""),
      await readTestTitles(workspace.root),
    );
    expect(text).toBe(CURRENT);
    expect(unknown).toEqual([]);
  });

  it("[check] passes a page that is current", async () => {
    await workspace.write(SPEC_COVERAGE, CURRENT);
    expect(await found(specCoverage)).toEqual([]);
  });

  it("[check] finds a quoted test that does not exist, and a page that is not current", async () => {
    await workspace.write(SPEC_COVERAGE, CURRENT.replace("shows a button", "hides a button"));
    expect(await found(specCoverage)).toEqual([
      `${SPEC_COVERAGE}:3 quotes “[ui] hides a button”, which no test is called`,
      `${SPEC_COVERAGE} is not current: run pnpm spec-coverage`,
    ]);
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
  /** Return the title of a test, composed so that this file contains none. */
  const proof = (...ids: string[]): string => `export const name = "${`[${ids.join(", ")}`}] holds";\n`;

  it("[check] finds a rule without a test", async () => {
    await workspace.write("docs/dev/protocol.md", "- HS-1 Sends hello.\n- SUB-2 Sends a snapshot.\n");
    expect(await found(ruleProofs)).toEqual(["docs/dev/protocol.md:2 no test is named [SUB-2]"]);
    await workspace.write("relay/src/sent.test.ts", proof("HS-1", "SUB-2"));
    expect(await found(ruleProofs)).toEqual([]);
  });

  it("[check] finds a number that is given twice, also in two documents", async () => {
    await workspace.write("docs/dev/valve-rules.md", "# Valves\n\n- HS-1 Opens.\n");
    expect(await found(ruleProofs)).toEqual([
      "docs/dev/valve-rules.md:3 gives HS-1 again: it is in docs/dev/protocol.md:3",
    ]);
  });

  it("[check] finds a document and a comment that refer to an unknown rule", async () => {
    await workspace.write("docs/a.md", "As HS-1 and HS-12 say, over SHA-256.\n");
    await workspace.write("relay/src/a.ts", `// ${"HS"}-13\nexport const text = "${"HS"}-14";\n`);
    expect(await found(ruleProofs)).toEqual([
      "docs/a.md:1 refers to HS-12, which is no rule",
      "relay/src/a.ts:1 refers to HS-13, which is no rule",
    ]);
  });

  it("[check] finds a test that names an unknown rule", async () => {
    await workspace.write("web/src/typo.test.tsx", proof("SUB-22"));
    expect(await found(ruleProofs)).toEqual(["web/src/typo.test.tsx:1 is named by SUB-22, which is no rule"]);
  });
});

describe("log events", () => {
  const written = async (...lines: string[]): Promise<string[]> => {
    await workspace.write("relay/src/careless.ts", `${lines.join("\n")}\n`);
    return found(logEvents);
  };

  it.each([
    ['log.info("connected");', "logs without fields: begin with { event: … }"],
    ['app.log.warn({ err }, "cannot read");', "logs without an event"],
    ['logger?.error({ event: "readFailed", err }, "cannot read");', 'logs the event "readFailed", which'],
    ['log.debug({ event: isOver ? "given-up" : "Delayed" }, "delayed");', 'logs the event "Delayed", which'],
    ['log.fatal({ event: "stopped" });', "logs without a message"],
  ])("[check] refuses %s", async (line, fault) => {
    expect(await written("const first = 1;", line)).toEqual([
      expect.stringContaining(`relay/src/careless.ts:2 ${fault}`),
    ]);
  });

  it("[check] follows fields that have a name, and leaves tests and other calls alone", async () => {
    await workspace.write("relay/src/careless.test.ts", 'log.info("connected");\n');
    expect(
      await written(
        'const fields = { event: "stopped", node };',
        'request.log.info(fields, "stopped");',
        'console.log("stopped");',
        'client.info("replication");',
      ),
    ).toEqual([]);
  });
});

describe("paths of the farm API", () => {
  it.each([
    'const path = "/api/v1/sensor/list";',
    "const path = `/api/v1/sensor/read/$" + "{id}`;",
    "type Path = `/api/account/$" + "{string}`;",
    'const relative = "api/v1";',
    "const isList = /^\\/api\\/v1\\/sensor/.test(path);",
  ])("[check] refuses %s", async (line) => {
    await workspace.write("web/src/careless.ts", `const first = 1;\n${line}\n`);
    expect(await found(farmApiPaths)).toEqual([
      "web/src/careless.ts:2 spells a path of the farm API: use its row in shared/src/rest/operations/",
    ]);
  });

  it("[check] accepts paths in the table and in tests, and other paths", async () => {
    const path = 'export const path = "/api/v1/sensor/list";\n';
    await workspace.write("shared/src/rest/operations/sensors.ts", path);
    await workspace.write("web/src/list.test.ts", path);
    await workspace.write("web/src/api.ts", 'export const isPassed = /^\\/(images|api)\\//.test("/api/");\n');
    expect(await found(farmApiPaths)).toEqual([]);
  });
});

describe("selectors of browser tests", () => {
  const written = async (...lines: string[]): Promise<string[]> => {
    await workspace.write("e2e/pages/careless.ts", `${lines.join("\n")}\n`);
    return found(selectors);
  };

  it.each([
    ['page.locator(".valve");', ".valve"],
    ['page.locator("main > a.row[href]").first();', ".row"],
    ['page.locator(":is(button, .item)");', ".item"],
    ["page.locator(`[data-page=$" + "{name}] .tile`);", ".tile"],
    ['page.evaluate(() => document.querySelector(".tile"));', ".tile"],
    ['page.locator(phone ? ".slide" : "button");', ".slide"],
    ['see("/sensors", ".sensor-row");', ".sensor-row"],
    ["const name = element.className;", "className"],
  ])("[check] refuses %s", async (line, selector) => {
    expect(await written("const first = 1;", line)).toEqual([
      `e2e/pages/careless.ts:2 finds an element by ${selector}: use a role, a label, a text or a test id`,
    ]);
  });

  it("[check] accepts roles, test ids, attributes, file names and classes of libraries", async () => {
    expect(
      await written(
        'page.getByRole("button", { name: "a.b" }).or(page.getByTestId("valve-state"));',
        "page.locator('[data-testid=tile][href=\"/a.b\"], input[name=code]');",
        'page.locator(".maplibregl-map");',
        'name.endsWith(".png");',
      ),
    ).toEqual([]);
  });
});
