import { cp, mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { ROOT } from "../root.ts";

/** The tests use the real rules, so that a loosened rule fails its test. */
const REAL_CONFIGURATION = [
  ".dependency-cruiser.cjs",
  "biome.json",
  "knip.json",
  "tsconfig.base.json",
  ".gitignore",
];

const packageJson = (name: string, dependencies: Record<string, string> = {}): string =>
  `${JSON.stringify({ name, version: "0.0.0", private: true, type: "module", dependencies }, null, 2)}\n`;

const EMIT = `
    "composite": true,
    "noEmit": false,
    "emitDeclarationOnly": true,`;

const tsconfig = (name: string, emit: string, references: string): string => `{
  "extends": "../tsconfig.base.json",
  "compilerOptions": {${emit}
    "rootDir": ".",
    "outDir": "../node_modules/.cache/tsc/${name}"
  },
  "include": ["src"],
  "references": [${references}]
}
`;

const REFERS_TO_CONTRACT = '{ "path": "../shared" }';

const contract = {
  name: "@mulkko/shared",
  version: "0.0.0",
  private: true,
  type: "module",
  exports: { "./*": "./src/*.ts" },
};

const locale = '{ "login": { "title": "Mulkko" } }\n';

/** The smallest workspace with input for every check. */
const FILES: Readonly<Record<string, string>> = {
  "package.json": packageJson("small-workspace"),
  "pnpm-workspace.yaml": "packages: [shared, relay, web]\n",
  "tsconfig.json":
    '{ "files": [], "references": [{ "path": "./shared" }, { "path": "./relay" }, { "path": "./web" }] }\n',
  "README.md": "The rules are in `shared/src/rules.ts`; see [the relay](relay/src/main.ts).\n",
  "docs/dev/protocol.md": "# Rules\n\n- HS-1 A client sends hello.\n",
  "docs/dev/valve-rules.md": "# Valves\n",
  "docs/dev/screen-rules.md": "# Screens\n",
  "testing/package.json": `${JSON.stringify({ ...contract, name: "@mulkko/testing", exports: { "./*": "./*.ts" } }, null, 2)}\n`,
  "e2e/journeys/hello.e2e.ts": '"[HS-1] says hello";\n',
  "shared/package.json": `${JSON.stringify(contract, null, 2)}\n`,
  "shared/tsconfig.json": tsconfig("shared", EMIT, ""),
  "shared/src/rules.ts": "export const double = (value: number): number => value * 2;\n",
  "relay/package.json": packageJson("@mulkko/relay", { "@mulkko/shared": "workspace:*" }),
  "relay/tsconfig.json": tsconfig("relay", "", REFERS_TO_CONTRACT),
  "relay/src/main.ts": 'import { double } from "@mulkko/shared/rules";\n\nprocess.exitCode = double(0);\n',
  "web/package.json": packageJson("@mulkko/web"),
  "web/tsconfig.json": tsconfig("web", "", REFERS_TO_CONTRACT),
  "web/src/main.tsx": 'import { title } from "./features/login/title.ts";\n\ntitle((key) => key);\n',
  "web/src/features/login/title.ts":
    'export const title = (t: (key: string) => string): string => t("login:title");\n',
  "web/src/i18n/locales/ko/app.json": locale,
  "web/src/i18n/locales/en/app.json": locale,
  "web/src/i18n/locales/zh/app.json": locale,
};

export interface SmallWorkspace {
  readonly root: string;
  /** Write a file and create its folder. */
  write(path: string, text: string): Promise<void>;
  remove(): Promise<void>;
}

/** Create a workspace in a temporary folder in which every check passes. */
export const createSmallWorkspace = async (): Promise<SmallWorkspace> => {
  const root = await mkdtemp(join(tmpdir(), "mulkko-check-"));
  const write = async (path: string, text: string): Promise<void> => {
    await mkdir(dirname(join(root, path)), { recursive: true });
    await writeFile(join(root, path), text);
  };
  for (const [path, text] of Object.entries(FILES)) await write(path, text);
  for (const file of REAL_CONFIGURATION) await cp(join(ROOT, file), join(root, file));
  await mkdir(join(root, "node_modules/@mulkko"), { recursive: true });
  await symlink(join(root, "shared"), join(root, "node_modules/@mulkko/shared"));
  await symlink(join(root, "testing"), join(root, "node_modules/@mulkko/testing"));
  await symlink(join(ROOT, "node_modules/@types"), join(root, "node_modules/@types"));
  return { root, write, remove: () => rm(root, { recursive: true, force: true }) };
};
