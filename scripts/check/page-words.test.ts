import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { describeFinding } from "./finding.ts";
import { pageWords } from "./page-words.ts";
import { createSmallWorkspace, type SmallWorkspace } from "./small-workspace.ts";

let workspace: SmallWorkspace;
beforeEach(async () => {
  workspace = await createSmallWorkspace();
});
afterEach(() => workspace.remove());

const found = async (): Promise<string[]> =>
  (await pageWords.run(workspace.root)).map((finding) => describeFinding(finding));

describe("translations of pages", () => {
  const router = (words: string) =>
    workspace.write(
      "web/src/app/router.tsx",
      `export const pages = [page("/login", () => import("../login/LoginPage.tsx").then((m) => m.LoginPage), [${words}])];\n`,
    );

  it("[check] finds a page whose components use namespaces that the page does not load", async () => {
    await workspace.write(
      "web/src/login/LoginPage.tsx",
      'import { part } from "./part.ts";\nexport const LoginPage = part;\n',
    );
    await workspace.write(
      "web/src/login/part.ts",
      'export const part = () => useTranslation(["login", "common"]);\n',
    );
    await router('"shell"');
    expect(await found()).toEqual([
      'web/src/app/router.tsx the page /login lacks the words "login" of web/src/login/part.ts',
    ]);
    await router('"login"');
    expect(await found()).toEqual([]);
  });

  it("[check] reads the administrators' routes like the router, and counts none of their pages to the first load", async () => {
    await workspace.write(
      "web/src/app/router.tsx",
      'import { adminRoutes } from "./admin-routes.tsx";\nexport const pages = [adminRoutes];\n',
    );
    await workspace.write(
      "web/src/app/admin-routes.tsx",
      'export const adminRoutes = page("/desk", () => import("../desk/Desk.tsx").then((m) => m.Desk), []);\n',
    );
    await workspace.write("web/src/desk/Desk.tsx", 'export const Desk = () => useTranslation("login");\n');
    expect(await found()).toEqual([
      'web/src/app/router.tsx the page /desk lacks the words "login" of web/src/desk/Desk.tsx',
    ]);
  });

  it("[check] counts namespaces that a component loads by itself", async () => {
    await workspace.write(
      "web/src/login/LoginPage.tsx",
      'export const LoginPage = async () => {\n  await loadWords(["login"]);\n  return t("login:title");\n};\n',
    );
    await router("");
    expect(await found()).toEqual([]);
  });
});
