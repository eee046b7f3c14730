import { buildAccount } from "@mulkko/shared/testing/builders";
import { act, cleanup, fireEvent, screen, waitFor } from "@testing-library/react";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { buildUserEntry as user } from "../../testing/build-user-entry.ts";
import { createPageBench, type PageBench, refusal } from "../../testing/page-bench.tsx";
import { buildDisplay } from "../../wall/testing/build-display.ts";
import { UserAddPage } from "./UserAddPage.tsx";
import { UserPage } from "./UserPage.tsx";

describe("account pages", () => {
  let bench: PageBench;
  const calls = (part: string) =>
    bench.requests.map(({ call }) => call).filter((call) => call.includes(part));
  const press = (name: string) => act(async () => fireEvent.click(screen.getByRole("button", { name })));
  const field = (name: string) => {
    const element = document.querySelector<HTMLInputElement>(`main [name=${name}], form [name=${name}]`);
    if (!element) throw new Error(`there is no ${name}`);
    return element;
  };
  const type = (name: string, value: string) => fireEvent.change(field(name), { target: { value } });
  const fault = (name: string) =>
    field(name).closest("[data-testid=field]")?.querySelector("[role=alert]")?.textContent;

  beforeEach(async () => {
    bench = await createPageBench();
  });
  afterEach(() => {
    cleanup();
    localStorage.clear();
  });

  describe("existing account", () => {
    const open = async (rest: object = {}) => {
      bench.answer = (call) =>
        call === "GET /api/v1/admin/user/info/id-3"
          ? user(3, rest)
          : call.startsWith("PUT")
            ? null
            : undefined;
      bench.show(<UserPage />, "/adminpage/user?id=id-3");
      await screen.findByDisplayValue("id-3");
    };
    const save = () => press("저장");

    it("[spec 1] shows all fields, with a read-only uuid, and returns to the list after saving", async () => {
      await open();
      expect(screen.getByDisplayValue<HTMLInputElement>("id-3").readOnly).toBe(true);
      expect(field("timezone").value).toBe("Asia/Seoul");
      type("nickname", "다온");
      await save();
      await waitFor(() => expect(bench.path()).toBe("/adminpage/users"));
      expect(bench.requests.find(({ call }) => call.startsWith("PUT"))).toEqual({
        call: "PUT /api/v1/admin/user/update/id-3",
        body: expect.objectContaining({ username: "farmer-3", nickname: "다온", language: "KO" }),
      });
    });

    it("[admin] shows a refusal at its field: a username in use, the last administrator", async () => {
      await open({ userType: "ADMIN" });
      const { answer } = bench;
      const errors = [{ field: "username", defaultMessage: "The user name is already taken." }];
      bench.answer = (call) => (call.startsWith("PUT") ? refusal(409, "conflict", { errors }) : answer(call));
      type("username", "farmer-4");
      await save();
      expect(fault("username")).toBe("이미 쓰고 있는 아이디입니다");
      bench.answer = (call) => (call.startsWith("PUT") ? refusal(409, "conflict") : answer(call));
      type("userType", "USER");
      await save();
      expect(fault("userType")).toBe("마지막 관리자는 관리자로 남아 있어야 합니다");
      expect(bench.path()).toBe("/adminpage/user?id=id-3");
    });

    it("[versions] sends only changes, for the version that was read, and shows both values of a conflict", async () => {
      await open({ version: "v1" });
      const { answer } = bench;
      let stored = user(3, { version: "v1" });
      bench.answer = (call) => {
        if (call.startsWith("GET /api/v1/admin/user/info")) return stored;
        if (!call.startsWith("PUT")) return answer(call);
        return isStale ? refusal(412, "changed-meanwhile") : null;
      };
      let isStale = true;
      type("phone", "010-2");
      stored = user(3, { version: "v2", phone: "010-1", nickname: "새 이름" });
      await save();
      isStale = false;
      expect(bench.requests.filter(({ call }) => call.startsWith("PUT")).at(-1)?.body).toEqual({
        phone: "010-2",
      });
      const note = (await screen.findByText("내 입력: 010-2")).closest("[role=status]");
      expect(note?.textContent).toContain("저장된 값: 010-1");
      expect(field("nickname").value).toBe("새 이름");
      expect(screen.getAllByRole("alert").at(-1)?.textContent).toContain("다른 사람이 먼저 저장했습니다");
      await press("내가 쓴 내용 두기");
      await save();
      await waitFor(() => expect(bench.path()).toBe("/adminpage/users"));
      expect(bench.requests.filter(({ call }) => call.startsWith("PUT")).at(-1)?.body).toEqual({
        phone: "010-2",
      });
    });

    it("[spec 1] confirms a deletion, lists the devices, and keeps the last administrator", async () => {
      await open();
      const { answer } = bench;
      bench.answer = (call) => (call.startsWith("DELETE") ? refusal(409, "conflict") : answer(call));
      await press("더 보기");
      fireEvent.click(screen.getByRole("menuitem", { name: "사용자 삭제" }));
      const question = screen.getByRole("alertdialog");
      expect(question.textContent).toContain("장치 3대");
      await press("삭제");
      await waitFor(() => expect(question.textContent).toContain("마지막 관리자는 삭제할 수 없습니다"));
      bench.answer = (call) => (call.startsWith("DELETE") ? null : answer(call));
      await press("삭제");
      await waitFor(() => expect(bench.path()).toBe("/adminpage/users"));
    });

    it("[spec 8] quotes a farm API without codes on why an account stays", async () => {
      await open();
      const { answer } = bench;
      const body = { status: 409, message: "계약 중인 농장입니다" };
      bench.answer = (call) =>
        call.startsWith("DELETE") ? Response.json(body, { status: 409 }) : answer(call);
      await press("더 보기");
      fireEvent.click(screen.getByRole("menuitem", { name: "사용자 삭제" }));
      await press("삭제");
      const question = screen.getByRole("alertdialog");
      await waitFor(() => expect(question.textContent).toContain("계약 중인 농장입니다"));
      expect(question.textContent).not.toContain("마지막 관리자");
    });

    it("[admin] deletes an account without asking about unsaved changes", async () => {
      await open();
      const { answer } = bench;
      bench.answer = (call) => (call.startsWith("DELETE") ? null : answer(call));
      type("nickname", "다온");
      await press("더 보기");
      fireEvent.click(screen.getByRole("menuitem", { name: "사용자 삭제" }));
      await press("삭제");
      await waitFor(() => expect(bench.path()).toBe("/adminpage/users"));
      expect(screen.queryByRole("alertdialog")).toBeNull();
    });

    it("[spec 1] shows the server's sentences on a new password at its field, and a general failure without them", async () => {
      await open();
      const { answer } = bench;
      const errors = [
        { field: "newPassword", defaultMessage: "Too well known." },
        { field: "newPassword", defaultMessage: "Used before." },
        { field: "confirmPassword", defaultMessage: "It differs." },
      ];
      // A third-party farm API has no codes: its message is quoted.
      let passwordAnswer: Response = Response.json({ status: 422, errors }, { status: 422 });
      const wallOf = (account: string, name: string) => ({ ...buildDisplay({ name }), account });
      const walls = [wallOf("id-3", "관리실"), wallOf("another", "남의 화면")];
      bench.answer = (call) => {
        if (call === "GET /relay/displays") return { displays: walls };
        return call.includes("changepassword") ? passwordAnswer : answer(call);
      };
      await press("비밀번호 바꾸기");
      const dialog = screen.getByRole("dialog");
      await waitFor(() => expect(dialog.textContent).toContain("상황판 1대도 연결이 해제됩니다: 관리실"));
      const fill = (name: string, value: string) =>
        fireEvent.change(dialog.querySelector(`[name=${name}]`) ?? dialog, { target: { value } });
      fill("newPassword", "sickle");
      fill("confirmPassword", "hammer");
      await press("바꾸기");
      expect(dialog.textContent).toContain("비밀번호 확인이 다릅니다");
      fill("confirmPassword", "sickle");
      await press("바꾸기");
      await waitFor(() => expect(dialog.textContent).toContain("Too well known."));
      expect(dialog.textContent).toContain("Used before.");
      expect(dialog.textContent).toContain("It differs.");
      passwordAnswer = new Response("", { status: 400 });
      await press("바꾸기");
      await waitFor(() => expect(dialog.textContent).toContain("비밀번호를 바꾸지 못했습니다"));
      // After a status of 500 it may have been changed (CMD-19).
      passwordAnswer = new Response("", { status: 500 });
      await press("바꾸기");
      await waitFor(() => expect(dialog.textContent).toContain("저장되었는지 알 수 없습니다"));
      expect(dialog.textContent).not.toContain("비밀번호를 바꾸지 못했습니다");
    });

    it("[admin] says that an account does not exist", async () => {
      bench.show(<UserPage />, "/adminpage/user?id=nobody");
      await screen.findByText("이 사용자는 삭제되었습니다");
    });
  });

  describe("new account", () => {
    const fill = () => {
      for (const [name, value] of Object.entries({
        username: "farmer-13",
        password: "sickle+13",
        nickname: "새 농부",
        userAddress: "new@example.com",
        farmAddress: "부여",
        phone: "010-1",
      }))
        type(name, value);
    };

    it("[spec 1] registers the account as typed and navigates to the list", async () => {
      bench.answer = () => null;
      bench.show(<UserAddPage />, "/adminpage/user/add");
      expect([field("language").value, field("timezone").value]).toEqual(["KO", "Asia/Seoul"]);
      fill();
      await press("등록");
      await waitFor(() => expect(bench.path()).toBe("/adminpage/users"));
      expect(bench.requests.at(-1)).toEqual({
        call: "POST /api/v1/admin/user/register",
        body: expect.objectContaining({ username: "farmer-13", password: "sickle+13", language: "KO" }),
      });
    });

    it("[FIRST-1] reads the own account again after the second account, whose administration is the home", async () => {
      let reloads = 0;
      bench.session.reloadAccount = async () => {
        reloads += 1;
      };
      bench.answer = () => null;
      const register = async (onlyAccount: boolean) => {
        const account = buildAccount({ userType: "ADMIN", onlyAccount });
        bench.session.store.setState({ state: "signed-in", account, accessToken: "t" });
        bench.show(<UserAddPage />, "/adminpage/user/add");
        fill();
        await press("등록");
        await waitFor(() => expect(bench.path()).toBe("/adminpage/users"));
        cleanup();
      };
      await register(true);
      expect(reloads).toBe(1);
      await register(false);
      expect(reloads).toBe(1);
    });

    it.each([
      ["takes", ["user-role"], 1],
      ["does not know", [], 0],
    ])("[form] offers the role according to the farm API, which %s it", async (_how, extensions, fields) => {
      const config = { apiTimezone: "Asia/Seoul", extensions, build: "b" };
      bench.answer = (call) => (call === "GET /relay/config" ? config : undefined);
      bench.show(<UserAddPage />, "/adminpage/user/add");
      await act(async () => undefined);
      expect(document.querySelectorAll("form [name=userType]")).toHaveLength(fields);
    });

    it("[spec 1] marks invalid fields and sends nothing", async () => {
      bench.show(<UserAddPage />, "/adminpage/user/add");
      await press("등록");
      for (const name of ["username", "password", "nickname", "userAddress", "farmAddress", "phone"]) {
        expect(field(name).getAttribute("aria-invalid"), name).toBe("true");
      }
      expect(calls("register")).toEqual([]);
    });

    it("[spec 1] says that the registration failed and keeps everything as typed", async () => {
      bench.answer = (call) => (call.startsWith("POST") ? refusal(500, "internal") : []);
      bench.show(<UserAddPage />, "/adminpage/user/add");
      fill();
      await press("등록");
      expect((await screen.findByRole("alert")).textContent).toContain("사용자를 등록하지 못했습니다.");
      bench.answer = () => Response.json({ message: "가입이 닫혀 있습니다" }, { status: 423 });
      await press("등록");
      await waitFor(() =>
        expect(screen.getByRole("alert").textContent).toBe(
          "사용자를 등록하지 못했습니다. 서버에서 거절했습니다: 가입이 닫혀 있습니다",
        ),
      );
      expect(field("username").value).toBe("farmer-13");
    });
  });
});
