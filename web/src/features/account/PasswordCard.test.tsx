import { cleanup, screen } from "@testing-library/react";
import { afterEach, expect, it } from "vitest";
import { createPageBench } from "../../testing/page-bench.tsx";
import { PasswordCard } from "./AccountSettings.tsx";

afterEach(() => {
  cleanup();
  localStorage.clear();
});

const open = async (extensions: readonly string[]) => {
  const page = await createPageBench();
  page.answer = () => ({ apiTimezone: "Asia/Seoul", extensions, build: "b" });
  page.show(<PasswordCard />);
};

it("[recover] refers to the administrator if the farm API neither changes a password nor mails a link", async () => {
  await open([]);
  await screen.findByText("비밀번호는 관리자에게 변경을 요청해 주세요.");
  expect(screen.queryByRole("link")).toBeNull();
  expect(screen.queryByRole("button")).toBeNull();
});

it("[recover] offers the mailed link if the farm API supports it", async () => {
  await open(["password-mail"]);
  expect((await screen.findByRole("link")).getAttribute("href")).toBe("/pages-recoverpw");
  expect(screen.queryByText("비밀번호는 관리자에게 변경을 요청해 주세요.")).toBeNull();
});
