import { act, cleanup, fireEvent, screen, waitFor, within } from "@testing-library/react";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { buildUserEntry as user } from "../../testing/build-user-entry.ts";
import { createPageBench, type PageBench, refusal } from "../../testing/page-bench.tsx";
import { UsersPage } from "./UsersPage.tsx";

const USERS = Array.from({ length: 12 }, (_, index) => user(index + 1));

/** Farm API that supports pages. */
const paged = (call: string) => {
  const [, query = ""] = call.split("/api/v1/admin/users?");
  const params = new URLSearchParams(query);
  const [page, size] = [Number(params.get("page")), Number(params.get("size"))];
  const found = USERS.filter(({ username }) => username.includes(params.get("q") ?? ""));
  return { content: found.slice((page - 1) * size, page * size), totalElements: found.length };
};

describe("user list", () => {
  let bench: PageBench;
  const calls = (part: string) =>
    bench.requests.map(({ call }) => call).filter((call) => call.includes(part));
  const press = (name: string) => act(async () => fireEvent.click(screen.getByRole("button", { name })));

  beforeEach(async () => {
    bench = await createPageBench();
    // Twelve accounts are several pages.
    localStorage.setItem("mulkko.pageSize", "5");
    bench.answer = (call) => (call.startsWith("GET /api/v1/admin/users") ? paged(call) : undefined);
  });
  afterEach(() => {
    cleanup();
    localStorage.clear();
  });

  /** Type the number of rows and confirm. */
  const confirm = async (count: number) => {
    const question = within(screen.getByRole("alertdialog"));
    const button = question.getByRole<HTMLButtonElement>("button", { name: `${count}명 삭제` });
    expect(button.disabled).toBe(true);
    fireEvent.change(question.getByRole("textbox"), { target: { value: `${count}` } });
    await act(async () => fireEvent.click(button));
  };
  const checkbox = (name: string) => screen.findByRole<HTMLInputElement>("checkbox", { name });

  it("[spec 1] shows username, nickname and type of accounts, as many on a page as chosen last", async () => {
    bench.show(<UsersPage />, "/adminpage/users");
    await screen.findByRole("rowheader", { name: "farmer-1" });
    expect(screen.getAllByRole("rowheader")).toHaveLength(5);
    const heads = screen.getAllByRole("columnheader").map(({ textContent }) => textContent);
    expect(heads.slice(0, 3)).toEqual(["아이디", "이름", "구분"]);
    expect(calls("/admin/users")[0]).toBe("GET /api/v1/admin/users?page=1&size=5");
  });

  it("[admin] requests page, size, search and order of the address from the API", async () => {
    bench.show(<UsersPage />, "/adminpage/users?page=2&size=20&q=farmer&sort=-nickname");
    await waitFor(() =>
      expect(calls("/admin/users")).toContain(
        "GET /api/v1/admin/users?page=2&size=20&q=farmer&sort=nickname%2Cdesc",
      ),
    );
  });

  it("[admin] replaces a page that no longer exists by the last one, also in the history", async () => {
    bench.show(<UsersPage />, "/adminpage/users?page=9");
    await screen.findByRole("rowheader", { name: "farmer-12" });
    expect(bench.path()).toBe("/adminpage/users?page=3");
    expect(bench.cameBy()).toBe("REPLACE");
  });

  it("[admin] drops an unknown order and limits a search to the API's length", async () => {
    bench.answer = (call) => {
      if (!call.startsWith("GET /api/v1/admin/users")) return undefined;
      return call.includes("sort=colour") ? refusal(422, "validation") : paged(call);
    };
    bench.show(<UsersPage />, `/adminpage/users?sort=-colour&q=${"a".repeat(300)}`);
    await waitFor(() => expect(bench.path()).not.toContain("sort"));
    await screen.findByText("찾는 사용자가 없습니다", { exact: false });
    expect(calls("/admin/users").at(-1)).toBe(`GET /api/v1/admin/users?page=1&size=5&q=${"a".repeat(100)}`);
  });

  it("[admin] searches, sorts and pages in the browser for an API without pages", async () => {
    bench.answer = (call) => (call.startsWith("GET /api/v1/admin/users") ? USERS : undefined);
    bench.show(<UsersPage />, "/adminpage/users?q=FARMER-1&sort=-username");
    await screen.findByRole("rowheader", { name: "farmer-12" });
    const names = screen.getAllByRole("rowheader").map(({ textContent }) => textContent);
    expect(names).toEqual(["farmer-12", "farmer-11", "farmer-10", "farmer-1"]);
  });

  it("[admin] requests a single role from the API, as the address selects", async () => {
    bench.show(<UsersPage />, "/adminpage/users?page=2");
    await screen.findByRole("radiogroup", { name: "구분" });
    await act(async () => fireEvent.click(screen.getByRole("radio", { name: "관리자" })));
    expect(bench.path()).toBe("/adminpage/users?userType=ADMIN");
    await waitFor(() =>
      expect(calls("/admin/users").at(-1)).toBe("GET /api/v1/admin/users?page=1&size=5&userType=ADMIN"),
    );
    await act(async () => fireEvent.click(screen.getByRole("radio", { name: "전체" })));
    expect(bench.path()).toBe("/adminpage/users");
  });

  it("[admin] filters by role in the browser for an API without filters", async () => {
    const all = [...USERS.slice(0, 3), user(13, { userType: "ADMIN" })];
    bench.answer = (call) => (call.startsWith("GET /api/v1/admin/users") ? all : undefined);
    bench.show(<UsersPage />, "/adminpage/users?userType=ADMIN");
    await screen.findByRole("rowheader", { name: "farmer-13" });
    expect(screen.getAllByRole("rowheader")).toHaveLength(1);
    await act(async () => fireEvent.click(await checkbox("전체 1개 선택")));
    await screen.findByText("1개 선택됨");
  });

  it("[spec 1] shows no dialog and deletes nothing without a selection", async () => {
    bench.show(<UsersPage />, "/adminpage/users");
    await screen.findByRole("rowheader", { name: "farmer-1" });
    await press("삭제");
    expect(screen.queryByRole("alertdialog")).toBeNull();
  });

  it("[spec 1] selects every account of every page and names accounts and devices in one confirmation", async () => {
    bench.show(<UsersPage />, "/adminpage/users");
    const all = await checkbox("전체 12개 선택");
    await act(async () => fireEvent.click(all));
    await waitFor(() => expect(all.checked).toBe(true));
    await press("삭제");
    const question = screen.getByRole("alertdialog").textContent;
    expect(question).toContain("사용자 12명을 삭제할까요?");
    expect(question).toContain("계정 12개와 장치 78대");
    // Names each account and says that most of them are not on the screen.
    expect(within(screen.getByRole("alertdialog")).getAllByRole("listitem")).toHaveLength(12);
    expect(question).toContain("7개는 지금 화면에 보이지 않는 페이지에 있습니다");
    expect(screen.getByText(/7개는 다른 페이지에 있습니다/)).toBeTruthy();
  });

  it("[admin] deletes the selected accounts one by one and shows the result of each", async () => {
    bench.answer = (call) => {
      if (call === "DELETE /api/v1/admin/user/delete/id-2") return refusal(409, "conflict");
      if (call.startsWith("DELETE ")) return null;
      return paged(call);
    };
    bench.show(<UsersPage />, "/adminpage/users");
    for (const number of [1, 2, 3]) fireEvent.click(await checkbox(`farmer-${number} 선택`));
    await press("삭제");
    await confirm(3);
    const results = await screen.findByRole("dialog");
    await waitFor(() => expect(within(results).getAllByRole("listitem")).toHaveLength(3));
    expect(calls("DELETE")).toEqual(
      [1, 2, 3].map((number) => `DELETE /api/v1/admin/user/delete/id-${number}`),
    );
    expect(within(results).getAllByRole("listitem")[1]?.textContent).toContain(
      "마지막 관리자는 삭제할 수 없습니다",
    );
    // The failed one stays selected.
    await press("닫기");
    expect((await checkbox("farmer-2 선택")).checked).toBe(true);
    expect((await checkbox("farmer-3 선택")).checked).toBe(false);
  });

  it("[admin] marks accounts that were not reached before the stop and keeps them selected", async () => {
    const { promise, resolve } = Promise.withResolvers<null>();
    bench.answer = (call) => (call.startsWith("DELETE ") ? promise : paged(call));
    bench.show(<UsersPage />, "/adminpage/users");
    for (const number of [1, 2, 3]) fireEvent.click(await checkbox(`farmer-${number} 선택`));
    await press("삭제");
    await confirm(3);
    await press("중지");
    await act(async () => resolve(null));
    const results = await screen.findByRole("dialog", { name: "삭제를 중지했습니다" });
    expect(
      within(results)
        .getAllByRole("listitem")
        .map(({ dataset }) => dataset.result),
    ).toEqual(["gone", "untried", "untried"]);
    expect(calls("DELETE")).toHaveLength(1);
    await press("닫기");
    expect((await checkbox("farmer-3 선택")).checked).toBe(true);
  });

  it("[admin] stops when the session ends midway", async () => {
    bench.answer = (call) => (call.startsWith("DELETE ") ? refusal(401, "unauthorized") : paged(call));
    bench.show(<UsersPage />, "/adminpage/users");
    for (const number of [1, 2]) fireEvent.click(await checkbox(`farmer-${number} 선택`));
    await press("삭제");
    await confirm(2);
    const results = await screen.findByRole("dialog", { name: "일부를 삭제하지 못했습니다" });
    await waitFor(() => expect(within(results).getAllByRole("listitem")).toHaveLength(2));
    expect(calls("DELETE /api/v1/admin/user/delete/id-2")).toEqual([]);
    expect(results.textContent).toContain("삭제하지 않음");
  });

  it("[admin] excludes the signed-in administrator from select-all and says so", async () => {
    const own = user(13, { id: "00000000-0000-4000-8000-000000000001", username: "boss" });
    bench.answer = (call) => (call.startsWith("GET /api/v1/admin/users") ? [user(1), own] : null);
    bench.show(<UsersPage />, "/adminpage/users");
    const every = await checkbox("전체 2개 선택");
    await act(async () => fireEvent.click(every));
    await waitFor(() => expect(every.checked).toBe(true));
    await press("삭제");
    const question = screen.getByRole("alertdialog");
    expect(question.textContent).toContain("사용자 1명을 삭제할까요?");
    expect(question.textContent).toContain("지금 로그인한 내 계정은 남습니다");
    await press("1명 삭제");
    await waitFor(() => expect(calls("DELETE")).toEqual(["DELETE /api/v1/admin/user/delete/id-1"]));
    await press("닫기");
    // On its own the account is not offered for deletion either.
    await press("삭제");
    expect(screen.queryByRole("alertdialog")).toBeNull();
  });

  it("[spec 8] quotes a farm API without codes at the row, in place of the list and for a failed selection", async () => {
    const conflict = (message: string) => Response.json({ status: 409, message }, { status: 409 });
    bench.answer = (call) => (call.startsWith("DELETE ") ? conflict("계약 중인 농장입니다") : paged(call));
    bench.show(<UsersPage />, "/adminpage/users");
    fireEvent.click(await checkbox("farmer-1 선택"));
    await press("삭제");
    await press("1명 삭제");
    const results = await screen.findByRole("dialog", { name: "일부를 삭제하지 못했습니다" });
    expect(within(results).getByRole("listitem").textContent).toContain(
      "삭제하지 못했습니다. 서버에서 거절했습니다: 계약 중인 농장입니다",
    );
    await press("닫기");
    bench.answer = () => conflict("명단을 정리하는 중입니다");
    await act(async () => fireEvent.click(await checkbox("전체 12개 선택")));
    expect((await screen.findAllByText(/명단을 정리하는 중입니다/)).length).toBeGreaterThan(0);
    await act(async () => fireEvent.click(screen.getByRole("radio", { name: "관리자" })));
    const alert = await screen.findByRole("alert");
    expect(alert.textContent).toContain("서버에서 거절했습니다: 명단을 정리하는 중입니다");
  });

  it("[admin] says why a list could not be loaded, and tries again", async () => {
    bench.answer = () => refusal(503, "database-down");
    bench.show(<UsersPage />, "/adminpage/users");
    await screen.findByRole("alert");
    bench.answer = paged;
    await press("다시 시도");
    await screen.findByRole("rowheader", { name: "farmer-1" });
  });

  it("[trash] shows deleted accounts below the list until their final deletion, and restores them", async () => {
    const trashed = {
      ...{ id: "t1", username: "kim", nickname: "김다온", deviceCount: 3 },
      ...{ deletedDate: "2026-11-21 12:00:00", purgeDate: "2026-12-21 12:00:00" },
    };
    bench.answer = (call) => {
      if (call === "GET /relay/config")
        return { apiTimezone: "Asia/Seoul", extensions: ["trash"], build: "x" };
      if (call === "GET /api/v1/admin/trash") return calls("restore").length > 0 ? [] : [trashed];
      return call.startsWith("GET /api/v1/admin/users") ? paged(call) : null;
    };
    bench.show(<UsersPage />, "/adminpage/users");
    const line = (await screen.findByText("김다온 (kim)")).closest("li");
    expect(line?.textContent).toContain("장치 3대 · 2026-12-21에 완전히 삭제");
    fireEvent.click(await checkbox("farmer-1 선택"));
    await press("삭제");
    expect(screen.getByRole("alertdialog").textContent).toContain("30일 동안 휴지통에 두며");
    await press("취소");
    await press("kim 복원");
    expect(calls("POST")).toEqual(["POST /api/v1/admin/user/restore/t1"]);
    await waitFor(() => expect(screen.queryByText("김다온 (kim)")).toBeNull());
  });

  it("[SHARE-6] frees a serial number of a deleted user after a question, and says where it is none", async () => {
    const trashed = {
      ...{ id: "t1", username: "kim", nickname: "", deviceCount: 3 },
      ...{ deletedDate: "2026-11-21 12:00:00", purgeDate: "2026-12-21 12:00:00" },
    };
    bench.answer = (call) => {
      if (call === "GET /relay/config")
        return { apiTimezone: "Asia/Seoul", extensions: ["trash", "free-serial"], build: "x" };
      if (call === "GET /api/v1/admin/trash") return [trashed];
      if (call === "DELETE /api/v1/admin/trash/serial/100002") return refusal(404, "not-found");
      return call.startsWith("GET /api/v1/admin/users") ? paged(call) : null;
    };
    bench.show(<UsersPage />, "/adminpage/users");
    const serial = await screen.findByLabelText("일련번호 풀기", { selector: "input" });
    const free = screen.getByRole<HTMLButtonElement>("button", { name: "풀기" });
    fireEvent.change(serial, { target: { value: "sensor 1" } });
    expect(free.disabled).toBe(true);
    const ask = async (text: string) => {
      fireEvent.change(serial, { target: { value: text } });
      fireEvent.click(free);
      const dialog = await screen.findByRole("alertdialog");
      expect(dialog.textContent).toContain("측정값이 완전히 삭제됩니다");
      fireEvent.click(within(dialog).getByRole("button", { name: "풀기" }));
      return dialog;
    };
    const dialog = await ask("100002");
    await waitFor(() => expect(dialog.textContent).toContain("이 번호의 장치를 가진 사용자가 없습니다"));
    await press("취소");
    await ask("100001");
    await waitFor(() => expect(screen.queryByRole("alertdialog")).toBeNull());
    expect(calls("DELETE")).toEqual([
      "DELETE /api/v1/admin/trash/serial/100002",
      "DELETE /api/v1/admin/trash/serial/100001",
    ]);
  });
});
