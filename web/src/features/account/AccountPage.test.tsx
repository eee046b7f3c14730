import { ownPassword, sessionList } from "@mulkko/shared/rest/operations/account";
import { cleanup, fireEvent, screen, waitFor } from "@testing-library/react";
import { afterEach, expect, it } from "vitest";
import { createPageBench } from "../../testing/page-bench.tsx";
import { AccountPage } from "./AccountPage.tsx";

afterEach(() => {
  cleanup();
  localStorage.clear();
});

const session = (id: string, current: boolean) => ({
  id,
  createdDate: "2026-11-25 09:00:00",
  usedDate: "2026-11-25 09:00:00",
  userAgent: "",
  current,
});

it("[session] lists no device that the own new password has logged out", async () => {
  const page = await createPageBench();
  let sessions = [session("this", true), session("other", false)];
  page.answer = (call) => {
    if (call.includes(ownPassword.path)) {
      sessions = sessions.filter(({ current }) => current);
      return {};
    }
    if (call.includes(sessionList.path)) return sessions;
    return { apiTimezone: "Asia/Seoul", extensions: ["own-password", "sessions"], build: "b" };
  };
  page.show(<AccountPage />);
  await screen.findByRole("button", { name: "알 수 없는 기기 로그아웃" });
  fireEvent.click(await screen.findByRole("button", { name: "비밀번호 바꾸기" }));
  const type = (name: string, value: string) =>
    fireEvent.change(document.querySelector(`input[name=${name}]`) ?? document.body, { target: { value } });
  type("currentPassword", "old-password");
  type("newPassword", "a new sentence");
  type("confirmPassword", "a new sentence");
  fireEvent.submit(document.querySelector("dialog form") ?? document.body);
  await waitFor(() => expect(screen.queryByRole("button", { name: "알 수 없는 기기 로그아웃" })).toBeNull());
});
