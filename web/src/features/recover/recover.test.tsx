import { cleanup, fireEvent, screen, waitFor } from "@testing-library/react";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createPageBench, type PageBench, refusal } from "../../testing/page-bench.tsx";
import { NewPasswordPage, passwordFaults } from "./NewPasswordPage.tsx";
import { RecoverPage } from "./RecoverPage.tsx";

const type = (label: string, value: string) =>
  fireEvent.change(screen.getByLabelText(new RegExp(`^${label}`)), { target: { value } });
const press = (name: string) => fireEvent.click(screen.getByRole("button", { name }));
const alerts = () => screen.queryAllByRole("alert").map(({ textContent }) => textContent);

describe("password recovery", () => {
  let page: PageBench;
  beforeEach(async () => {
    page = await createPageBench();
  });
  afterEach(() => {
    cleanup();
    localStorage.clear();
  });

  describe("request for an e-mail", () => {
    const asked = () => page.requests.filter(({ call }) => !call.startsWith("GET /relay/config"));
    beforeEach(() => page.show(<RecoverPage />, "/pages-recoverpw"));

    it.each([
      ["", "이메일을 입력해 주세요."],
      ["nobody", "이메일 주소를 확인해 주세요."],
    ])("[recover] rejects %j as an address", (email, sentence) => {
      type("이메일", email);
      press("재설정 링크 받기");
      expect(alerts()).toEqual([sentence]);
      expect(asked()).toEqual([]);
    });
    it("[recover] gives the same answer for known and unknown addresses", async () => {
      page.answer = () => null;
      type("이메일", " kim@example.com ");
      press("재설정 링크 받기");
      expect((await screen.findByRole("status")).textContent).toContain("있으면 재설정 링크를 보냈습니다");
      expect(asked()).toEqual([{ call: "POST /api/account/recover", body: { email: "kim@example.com" } }]);
    });
    it("[recover] promises no e-mail if the server cannot send any", async () => {
      cleanup();
      page = await createPageBench();
      page.answer = (call) =>
        call === "GET /relay/config"
          ? {
              apiTimezone: "Asia/Seoul",
              extensions: ["password-mail", "mail-outbox"],
              build: "b",
              mapStyleUrl: null,
            }
          : null;
      page.show(<RecoverPage />, "/pages-recoverpw");
      await screen.findByText(/관리자가 전해 드릴 수 있는 재설정 링크를 만듭니다/);
      expect(screen.queryByText(/보내 드립니다/)).toBeNull();
      type("이메일", "kim@example.com");
      press("재설정 링크 만들기");
      const status = await screen.findByRole("status");
      await waitFor(() => expect(status.textContent).toContain("메일 서버가 없어 메일을 보낼 수 없습니다"));
      expect(screen.getByRole("heading").textContent).toBe("관리자에게 문의해 주세요");
    });
    it("[recover] refers to the administrator if the farm API has no recovery e-mails", async () => {
      cleanup();
      page = await createPageBench();
      page.answer = () => ({ apiTimezone: "Asia/Seoul", extensions: [], build: "b" });
      page.show(<RecoverPage />, "/pages-recoverpw");
      await screen.findByText(/관리자가 새 비밀번호를 정해 드릴 수 있습니다/);
      expect(screen.queryByLabelText(/이메일/)).toBeNull();
      expect(screen.getByRole("link", { name: "로그인으로" })).toBeTruthy();
    });
    it("[recover] shows a refusal and keeps the address", async () => {
      page.answer = () => refusal(429, "too-many-requests");
      type("이메일", "kim@example.com");
      press("재설정 링크 받기");
      await screen.findByRole("alert");
      expect(alerts()[0]).toContain("요청이 너무 많습니다");
      expect(screen.getByLabelText(/이메일/)).toHaveProperty("value", "kim@example.com");
    });
  });

  describe("mailed link", () => {
    const fill = (password: string, confirm = password) => {
      fireEvent.change(screen.getByLabelText(/^새 비밀번호\*?$/), { target: { value: password } });
      fireEvent.change(screen.getByLabelText(/^새 비밀번호 확인/), { target: { value: confirm } });
      press("비밀번호 바꾸기");
    };

    it("[recover] removes the token from the address at once", async () => {
      page.show(<NewPasswordPage />, "/recover?token=secret");
      await waitFor(() => expect(page.path()).toBe("/recover"));
    });
    it("[recover] sets the new password with the token of the link", async () => {
      page.answer = () => null;
      page.show(<NewPasswordPage />, "/recover?token=secret");
      fill("new-pa1");
      expect(page.requests).toEqual([]);
      fill("newpass1!");
      expect((await screen.findByRole("status")).textContent).toContain("모든 기기에서 로그아웃");
      expect(page.requests).toEqual([
        {
          call: "POST /api/account/recover/confirm",
          body: { token: "secret", password: "newpass1!" },
        },
      ]);
    });
    it("[recover] requires two equal passwords", () => {
      page.show(<NewPasswordPage />, "/recover?token=secret");
      fill("newpass1!", "newpass2!");
      expect(alerts()).toEqual(["비밀번호가 서로 다릅니다."]);
      expect(page.requests).toEqual([]);
    });
    it("[recover] reports a used link and offers a new one", async () => {
      page.answer = () =>
        refusal(422, "validation", { errors: [{ field: "token", defaultMessage: "The link is used." }] });
      page.show(<NewPasswordPage />, "/recover?token=secret");
      fill("newpass1!");
      await waitFor(() => expect(alerts()).toEqual(["이미 사용했거나 기간이 지난 링크입니다."]));
      press("링크 다시 받기");
      expect(page.path()).toBe("/pages-recoverpw");
    });
    it("[recover] reports a common password at its field", async () => {
      page.answer = () =>
        refusal(422, "validation", { errors: [{ field: "password", defaultMessage: "is known" }] });
      page.show(<NewPasswordPage />, "/recover?token=secret");
      fill("newpass1!");
      await waitFor(() => expect(alerts()[0]).toContain("이 비밀번호는 쓸 수 없습니다"));
    });
    it("[recover] asks to open the link again for an address without a token", () => {
      page.show(<NewPasswordPage />, "/recover");
      expect(alerts()).toEqual(["메일에 있는 링크를 다시 열어 주세요."]);
    });
  });
});

describe("new password", () => {
  it.each(["short7!", "x".repeat(65)])("[recover] rejects %j", (password) => {
    expect(passwordFaults(password, password)).toEqual({ password: "passwordWrong" });
  });
  it.each(["eight888", "x".repeat(64), "a~!@#$%^&*()_+|<", "has space", "비밀번호입니다요"])(
    "[recover] accepts %j",
    (password) => {
      expect(passwordFaults(password, password)).toEqual({});
    },
  );
});
