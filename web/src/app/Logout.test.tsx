import { relayPath } from "@mulkko/shared/rest/routes";
import { cleanup, fireEvent, screen, waitFor } from "@testing-library/react";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { ApiError, NoAnswerError } from "../api/errors.ts";
import { createPageBench, type PageBench } from "../testing/page-bench.tsx";
import { Logout } from "./Logout.tsx";

const VALVE = { channelId: "11", name: "토마토", number: 2 };
const valveOpen = () => new ApiError(409, { code: "valve-open", message: "valve-open" }, null);

describe("logout", () => {
  let page: PageBench;
  let left: string[];
  /** Handler of the fake relay's logout call, before it ends. */
  let meanwhile: (how: string) => Promise<void>;
  let closesFirst: unknown;
  beforeEach(async () => {
    page = await createPageBench();
    left = [];
    meanwhile = () => Promise.resolve();
    closesFirst = { closesFirst: [VALVE] };
    page.answer = (call) => (call === `GET ${relayPath.logout}` ? closesFirst : undefined);
    page.session.logout = async (how) => {
      left.push(how);
      await meanwhile(how);
      page.session.store.setState({ state: "signed-out", reason: "left" }, true);
    };
  });
  afterEach(() => {
    cleanup();
    localStorage.clear();
  });
  const show = () => page.show(<Logout />, "/logout");
  const press = async (name: string) => fireEvent.click(await screen.findByRole("button", { name }));

  it.each([
    ["closes no valve", { closesFirst: [] }],
    ["cannot be asked about", undefined],
  ])("[CMD-15] that %s leaves at once", async (_, answer) => {
    closesFirst = answer;
    show();
    await waitFor(() => expect(page.path()).toBe("/login"));
    expect(left).toEqual(["at-once"]);
  });

  it("[CMD-15] asks before it closes a valve, and does nothing if the user stays", async () => {
    show();
    const question = await screen.findByRole("alertdialog");
    expect(question.textContent).toContain("밸브 1개를 먼저 닫고 로그아웃할까요?");
    expect(question.textContent).toContain("토마토 2CH");
    await press("로그인 유지");
    await waitFor(() => expect(page.path()).toBe("/dashboard"));
    expect(left).toEqual([]);
  });

  it("[CMD-15] shows that it closes, and leaves after that", async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    meanwhile = () => promise;
    show();
    await press("닫고 로그아웃");
    expect((await screen.findByRole("status")).textContent).toContain("밸브 1개를 닫는 중");
    expect(page.path()).toBe("/logout");
    resolve();
    await waitFor(() => expect(page.path()).toBe("/login"));
    expect(left).toEqual(["after-closing"]);
  });

  it("[CMD-15] reports a valve that is not closed, retries, and leaves if the user insists", async () => {
    meanwhile = async (how) => {
      if (how === "after-closing") throw valveOpen();
    };
    show();
    await press("닫고 로그아웃");
    expect((await screen.findByRole("alert")).textContent).toContain("밸브가 닫혔다는 보고가 아직 없어");
    expect(screen.getByRole("alertdialog").textContent).toContain("아직 로그인되어 있습니다");
    await press("다시 시도");
    await press("닫지 않고 로그아웃");
    await waitFor(() => expect(page.path()).toBe("/login"));
    expect(left).toEqual(["after-closing", "after-closing", "despite-open-valve"]);
  });

  it("[CMD-15] keeps the user signed in and reports a missing answer while closing", async () => {
    meanwhile = async () => {
      throw new NoAnswerError("GET /api/account/logout");
    };
    show();
    await press("닫고 로그아웃");
    expect(await screen.findByRole("alert")).toBeTruthy();
    expect(page.path()).toBe("/logout");
  });
});
