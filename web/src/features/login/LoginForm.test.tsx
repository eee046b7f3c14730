import { cleanup, fireEvent, screen, waitFor } from "@testing-library/react";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { ApiError } from "../../api/errors.ts";
import { createPageBench, type PageBench } from "../../testing/page-bench.tsx";
import { LoginForm } from "./LoginPage.tsx";

const id = () => screen.getByLabelText("아이디");
const password = () => screen.getByLabelText("비밀번호");
const press = () => fireEvent.click(screen.getByRole("button", { name: "로그인" }));
const type = (field: HTMLElement, value: string) => fireEvent.change(field, { target: { value } });

describe("login form", () => {
  let page: PageBench;
  let tried: string[];
  beforeEach(async () => {
    page = await createPageBench();
    tried = [];
    page.session.login = async (username, secret) => {
      tried.push(`${username} ${secret}`);
    };
    page.show(<LoginForm />);
  });
  afterEach(() => {
    cleanup();
    localStorage.clear();
  });

  it("[DEMO-1] names no password of a demo in reach of others, and says what to do once there are own devices", () => {
    cleanup();
    page.show(<LoginForm demo={{ usernames: ["farmer"], ownDevices: true }} />);
    expect(screen.getByText(/비밀번호는 물꼬를 시작한 화면에 있습니다/)).toBeTruthy();
    expect(screen.getByText(/DEMO=off로 빈 농장을 시작/)).toBeTruthy();
    fireEvent.click(screen.getByRole("button", { name: "farmer" }));
    expect(id()).toHaveProperty("value", "farmer");
    expect(password()).toHaveProperty("value", "");
  });

  it("[login] lists the accounts of a demo farm and fills one in on a click", async () => {
    cleanup();
    page.show(<LoginForm demo={{ usernames: ["farmer", "admin"], password: "open-sesame" }} />);
    expect(screen.getByText(/비밀번호 open-sesame/)).not.toBeNull();
    fireEvent.click(screen.getByRole("button", { name: "admin" }));
    press();
    await waitFor(() => expect(tried).toEqual(["admin open-sesame"]));
  });
  it.each([
    ["renews", ["password-mail"], 1],
    ["cannot renew", [], 0],
  ])(
    "[recover] links to the recovery of a password if the farm API %s it by mail",
    async (_how, extensions, links) => {
      cleanup();
      page.answer = () => ({ apiTimezone: "Asia/Seoul", extensions, build: "b" });
      page.show(<LoginForm />);
      await waitFor(() => expect(screen.queryAllByRole("link")).toHaveLength(links));
    },
  );
  it("[login] limits a username to 16 characters and a password to 64", () => {
    expect([id(), password()].map((field) => field.getAttribute("maxlength"))).toEqual(["16", "64"]);
  });
  it("[login] describes empty fields with hints, which become errors after an attempt", () => {
    expect(screen.queryByText("아이디를 입력해 주세요.")).not.toBeNull();
    expect(screen.queryByRole("alert")).toBeNull();
    press();
    expect(screen.getAllByRole("alert").map(({ textContent }) => textContent)).toEqual([
      "아이디를 입력해 주세요.",
      "비밀번호를 입력해 주세요.",
    ]);
    expect(tried).toEqual([]);
  });
  it("[login] shows hints for filled fields without enforcing them", async () => {
    type(id(), "김");
    type(password(), "짧다");
    expect(screen.queryByText("5자 이상, 영문과 숫자만")).not.toBeNull();
    expect(screen.queryByText("8자 이상")).not.toBeNull();
    press();
    await waitFor(() => expect(tried).toEqual(["김 짧다"]));
  });
  it("[login] sends nothing on a second click while the first login is under way", async () => {
    let finish: (() => void) | undefined;
    page.session.login = (username, secret) => {
      tried.push(`${username} ${secret}`);
      return new Promise((resolve) => {
        finish = resolve;
      });
    };
    type(id(), "farmer");
    type(password(), "mulkko2026");
    press();
    const form = id().closest("form");
    if (form) fireEvent.submit(form);
    expect(await screen.findByText("로그인하는 중")).not.toBeNull();
    expect(tried).toHaveLength(1);
    finish?.();
  });
  it("[login] reports a refusal of username or password and keeps what was typed", async () => {
    page.session.login = async () => {
      throw new ApiError(401, { code: "invalid-credentials", message: "" }, null);
    };
    type(id(), "farmer");
    type(password(), "wrong");
    press();
    expect((await screen.findByRole("alert")).textContent).toBe("아이디와 비밀번호를 확인해 주세요.");
    expect(id()).toHaveProperty("value", "farmer");
    expect(password()).toHaveProperty("value", "wrong");
  });
  it.each([400, 401, 403, 422])(
    "[login] reports username or password as wrong when a farm API without codes refuses with %i",
    async (status) => {
      page.session.login = async () => {
        throw new ApiError(status, { code: "by-status", message: "Bad credentials", own: false }, null);
      };
      type(id(), "farmer");
      type(password(), "wrong");
      press();
      expect((await screen.findByRole("alert")).textContent).toBe("아이디와 비밀번호를 확인해 주세요.");
    },
  );
  it("[login] shows how long to wait after too many attempts", async () => {
    page.session.login = async () => {
      throw new ApiError(429, { code: "too-many-requests", message: "" }, 42);
    };
    type(id(), "farmer");
    type(password(), "wrong");
    press();
    expect((await screen.findByRole("alert")).textContent).toContain("42초 뒤에");
  });
  it("[login] links to the recovery of a password", () => {
    fireEvent.click(screen.getByRole("link", { name: "비밀번호를 잊으셨나요?" }));
    expect(page.path()).toBe("/pages-recoverpw");
  });
  it("[login] says that a login has expired", () => {
    cleanup();
    page.show(<LoginForm reason="expired" />);
    expect(screen.getByRole("alert").textContent).toBe("로그인이 만료되었습니다.");
  });
  it("[login] does not call a login expired that was ended on another device", () => {
    cleanup();
    page.show(<LoginForm reason="ended" />);
    expect(screen.getByRole("alert").textContent).toContain("다른 기기에서 로그아웃했거나 비밀번호가");
  });
});
