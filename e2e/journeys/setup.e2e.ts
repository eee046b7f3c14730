import { launchChromium } from "@mulkko/testing/engines/chromium";
import { DEMO_PASSWORD, login } from "@mulkko/testing/stack/account";
import { type Stack, startStack } from "@mulkko/testing/stack/start-stack";
import { newVisitor } from "@mulkko/testing/stack/visitor";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

const PASSWORD = "Mulkko+2027";

describe("an empty farm", () => {
  let stack: Stack;
  let browser: Browser;
  let page: Page;
  beforeAll(async () => {
    [stack, browser] = await Promise.all([startStack({ DEMO: "off" }), launchChromium()]);
    const context = await newVisitor(browser, { viewport: "phone", locale: "ko-KR", colorScheme: "light" });
    page = await context.newPage();
  });
  afterAll(async () => {
    await browser?.close();
    await stack?.close();
  });

  it("[setup] has no account of the demo", async () => {
    expect((await login(stack.url, "farmer", DEMO_PASSWORD)).status).toBe(401);
    expect((await login(stack.url, "admin", DEMO_PASSWORD)).status).toBe(401);
  });

  it("[setup] marks the invalid field, and keeps the typed values", async () => {
    await page.goto(stack.url);
    await page.getByRole("heading", { name: "첫 관리자 만들기" }).waitFor();
    await page.getByLabel("설정 코드").fill("WRONGWRONG22");
    await page.getByLabel("이름").fill("김관리");
    await page.getByLabel("이메일").fill("kim@example.com");
    await page.getByLabel("아이디").fill("first-admin");
    await page.getByLabel("비밀번호", { exact: true }).fill(DEMO_PASSWORD);
    await page.getByRole("button", { name: "관리자 만들고 시작하기" }).click();
    await page.getByText("설정 코드가 다릅니다.").waitFor();
    const code = /setup code[^:]*: ([2-9A-Z]{12})/.exec(stack.api.output())?.[1] ?? "";
    // As one reads it aloud.
    await page.getByLabel("설정 코드").fill(code.toLowerCase().replace(/(.{4})/g, "$1-"));
    await page.getByRole("button", { name: "관리자 만들고 시작하기" }).click();
    await page.getByText("데모의 비밀번호는 쓸 수 없습니다").waitFor();
    expect(await page.getByLabel("이름").inputValue()).toBe("김관리");
  });

  it("[setup] creates the first administrator by the printed code, and signs in to the farm's home", async () => {
    await page.getByLabel("비밀번호", { exact: true }).fill(PASSWORD);
    await page.getByRole("button", { name: "관리자 만들고 시작하기" }).click();
    // Without a second account there is nothing to administer (FIRST-1).
    await page.waitForURL("**/dashboard");
    await page.getByTestId("first-step").first().waitFor();
    expect((await login(stack.url, "first-admin", PASSWORD)).status).toBe(200);
  });
});
