import { act, cleanup, fireEvent, screen, waitFor, within } from "@testing-library/react";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createPageBench, type PageBench } from "../../testing/page-bench.tsx";
import { AuditPage } from "./AuditPage.tsx";
import { ContactsPage } from "./ContactsPage.tsx";

const entry = (rest: object) => ({
  id: 1,
  createdDate: "2026-11-21 12:00:00",
  actorId: "a",
  actorName: "overseer",
  action: "user-update",
  subjectKind: "user",
  subjectId: "u1",
  subjectName: "farmer-one",
  before: { phone: "", userType: "USER", disabled: false },
  after: { phone: "010-1", userType: "ADMIN", disabled: true },
  ...rest,
});
const command = (rest: object) => ({
  id: 1,
  createdDate: "2026-11-21 12:00:00",
  actorId: "a",
  actorName: "farmer-one",
  byRelay: false,
  userId: "u1",
  username: "farmer-one",
  deviceId: "d1",
  deviceName: "논 1",
  channelNumber: 2,
  command: "onoff",
  payload: "1",
  outcome: "confirmed",
  reason: null,
  confirmedDate: "2026-11-21 12:00:02",
  ...rest,
});
const page = (...content: object[]) => ({ content, totalElements: content.length });

describe("audit pages", () => {
  let bench: PageBench;
  let extensions: string[];
  let answers: Record<string, unknown>;
  const asked = (path: string) =>
    bench.requests.map(({ call }) => call).filter((call) => call.includes(path));
  const entries = async () => (await screen.findAllByRole("article")).map(({ textContent }) => textContent);

  beforeEach(async () => {
    bench = await createPageBench();
    extensions = ["audit"];
    answers = {};
    bench.answer = (call) => {
      if (call === "GET /relay/config") return { apiTimezone: "Asia/Seoul", extensions, build: "x" };
      const path = Object.keys(answers).find((each) => call.startsWith(`GET /api/v1/admin/${each}`));
      return path === undefined ? undefined : answers[path];
    };
  });
  afterEach(() => {
    cleanup();
    localStorage.clear();
  });

  it("[audit] show who did what, when and to whom, with the values before and after", async () => {
    answers.audit = page(entry({}), entry({ id: 2, action: "field-ploughed", before: null, after: null }));
    bench.show(<AuditPage />, "/adminpage/audit");
    const [changed, unknown] = await entries();
    for (const word of ["사용자 정보 변경", "farmer-one", "overseer", "2026-11-21 12:00:00"]) {
      expect(changed).toContain(word);
    }
    expect(changed).toContain("전화번호이전 -- → 이후 010-1");
    expect(changed).toContain("구분이전 사용자 → 이후 관리자");
    expect(changed).toContain("사용 중지이전 아니요 → 이후 예");
    expect(unknown).toContain("field-ploughed");
    const link = screen.getAllByRole("link", { name: "farmer-one" })[0];
    expect(link?.getAttribute("href")).toBe("/adminpage/user?id=u1");
  });

  it("[audit] describe actions through the relay: an account that was viewed, a display that was changed", async () => {
    const display = {
      action: "display-change",
      subjectKind: "display",
      subjectId: "d1",
      subjectName: "창고",
    };
    const read = { id: 2, action: "account-read", before: null, after: null };
    const before = { pages: "overview, alarms", sound: "off", scope: "read" };
    const after = { pages: "map, unknown", sound: "on", scope: "ack", night: "22:00–06:00" };
    answers.audit = page(entry({ ...display, before, after }), entry(read));
    bench.show(<AuditPage />, "/adminpage/audit");
    const [changed, seen] = await entries();
    for (const texts of [
      "상황판 설정 변경창고",
      "보여 줄 페이지이전 한눈에, 경보 → 이후 지도, unknown",
      "소리이전 끔 → 이후 켬",
      "권한이전 보기만 → 이후 경보 확인 가능",
      "밤에 낮춤이전 -- → 이후 22:00–06:00",
    ]) {
      expect(changed).toContain(texts);
    }
    expect(seen).toContain("계정 보기(읽기 전용)farmer-one");
  });

  it("[audit] filter by person, kind and days, and keep the filter in the address", async () => {
    answers.audit = page(entry({}));
    bench.show(<AuditPage />, "/adminpage/audit?q=over&kind=user&from=2026-11-21&to=2026-11-21");
    await entries();
    const query = new URLSearchParams(asked("/admin/audit").at(-1)?.split("?")[1]);
    expect(Object.fromEntries(query)).toEqual({
      page: "1",
      size: "25",
      q: "over",
      kind: "user",
      from: "2026-11-20T15:00:00.000Z",
      to: "2026-11-21T15:00:00.000Z",
    });
    fireEvent.change(screen.getByLabelText("대상"), { target: { value: "sensor" } });
    await waitFor(() => expect(asked("/admin/audit").at(-1)).toContain("kind=sensor"));
    expect(bench.path()).toContain("kind=sensor");
  });

  it("[audit] show who requested a command, for which valve of which user, and its result", async () => {
    answers.commands = page(
      command({}),
      command({ id: 2, payload: "2", byRelay: true, outcome: "taken", confirmedDate: null }),
      command({
        id: 3,
        actorName: "overseer",
        outcome: "refused",
        reason: "controller-offline",
        confirmedDate: null,
      }),
      command({ id: 4, command: "automatic/reset", payload: "0", outcome: "stored", confirmedDate: null }),
    );
    bench.show(<AuditPage />, "/adminpage/audit?show=commands");
    const [opened, closed, refused, reset] = await entries();
    expect(opened).toContain("밸브 열기논 1 · 채널 2");
    expect(opened).toContain("장치가 확인함 · 2026-11-21 12:00:02");
    expect(closed).toContain("밸브 닫기");
    expect(closed).toContain("자동 (farmer-one 계정)");
    expect(closed).toContain("전달됨, 확인 안 됨");
    expect(refused).toContain("farmer-one 계정의 장치");
    expect(refused).toContain("컨트롤러가 오프라인이라 열 수 없습니다");
    expect(reset).toContain("자동 관수 설정 초기화");
  });

  it("[audit] show account, address and result of each sign-in, without repeating unknown names", async () => {
    extensions = ["audit", "sign-ins"];
    const signIn = {
      ...{ id: 1, createdDate: "2026-11-21 12:00:00", userId: "u1", username: "farmer-one" },
      ...{ outcome: "signed-in", attempts: 1, address: "203.0.113.9", userAgent: "Firefox" },
    };
    const unknown = { ...signIn, id: 2, userId: null, username: "", outcome: "unknown-name", attempts: 4 };
    answers["sign-ins"] = page(signIn, unknown);
    bench.show(<AuditPage />, "/adminpage/audit?show=sign-ins");
    const [known, guessed] = await entries();
    for (const word of ["farmer-one", "203.0.113.9", "Firefox", "로그인함"]) expect(known).toContain(word);
    expect(screen.getByRole("link", { name: "farmer-one" }).getAttribute("href")).toBe(
      "/adminpage/user?id=u1",
    );
    expect(guessed).toContain("등록되지 않은 아이디");
    expect(guessed).toContain("없는 아이디 · 4회");
  });

  it("[audit] link one log to the other", async () => {
    answers.audit = page(entry({}));
    answers.commands = page();
    bench.show(<AuditPage />, "/adminpage/audit?q=over");
    await entries();
    await act(async () => fireEvent.click(screen.getByRole("radio", { name: "밸브 명령" })));
    await screen.findByText("해당하는 명령이 없습니다");
    expect(bench.path()).toBe("/adminpage/audit?show=commands");
  });

  it("[contact] show a message with its author, exactly as written", async () => {
    const message = {
      id: 1,
      createdDate: "2026-11-21 12:00:00",
      userId: "u1",
      username: "farmer-one",
      name: "김선우",
      title: "",
      message: "첫째 줄\n둘째 줄",
    };
    answers.contacts = page(message);
    bench.show(<ContactsPage />, "/adminpage/contacts");
    const shown = await screen.findByRole("article");
    expect(shown.textContent).toContain("제목 없음");
    expect(shown.textContent).toContain("첫째 줄\n둘째 줄");
    expect(within(shown).getByRole("link", { name: "farmer-one" }).getAttribute("href")).toBe(
      "/adminpage/user?id=u1",
    );
  });

  it("[mail] show a mail that no server sends with its text, and why another was not sent", async () => {
    const mail = { createdDate: "2026-11-21 12:00:00", recipient: "one@example.com", error: null };
    const link = "https://farm.example.com/recover?token=abc";
    answers.outbox = page(
      { ...mail, id: 2, subject: "비밀번호 재설정", body: `안녕하세요\n${link}`, state: "kept" },
      { ...mail, id: 1, subject: "배터리", body: "내용", state: "failed", error: "550 no such mailbox" },
    );
    bench.show(<AuditPage />, "/adminpage/audit?show=mails");
    const [kept, failed] = await entries();
    for (const texts of ["비밀번호 재설정", "one@example.com", link, "사용자에게 직접 전해 주세요"]) {
      expect(kept).toContain(texts);
    }
    expect(failed).toContain("보내지 못함 · 550 no such mailbox");
  });

  it("[audit] request nothing from a farm API without an audit log, and say so", async () => {
    extensions = [];
    bench.show(<AuditPage />, "/adminpage/audit");
    await screen.findByText("이 농장 서버는 작업 기록을 남기지 않습니다");
    expect(asked("/admin/")).toEqual([]);
  });
});
