import { buildAccount } from "@mulkko/shared/testing/builders";
import { act, cleanup, fireEvent, render, renderHook, screen } from "@testing-library/react";
import type { ReactNode } from "react";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { createStore } from "zustand/vanilla";
import { createRestClient } from "../../api/client.ts";
import { ApiError, BadAnswerError, NoAnswerError, NotSentError } from "../../api/errors.ts";
import type { Rest } from "../../api/hooks.ts";
import { RestContext } from "../../api/hooks.ts";
import type { SessionState } from "../../api/session.ts";
import { TextField } from "../../components/field.tsx";
import { UiProvider } from "../../components/provider.tsx";
import { provideBrowserParts } from "../../testing/browser-parts.ts";
import { speakKorean } from "../../testing/speak-korean.ts";
import { FormNotes } from "./form-notes.tsx";
import { FormFailure } from "./refusal.ts";
import { isPageHeld } from "./unsaved.ts";
import { type FormControl, useForm } from "./use-form.ts";

interface Values {
  name: string;
  crops: string;
}
const INITIAL: Values = { name: "북쪽 밭", crops: "벼" };

/** Create a server that saves on command, with the given result. */
function createServer() {
  const sent: Values[] = [];
  let answer: { resolve: () => void; reject: (error: unknown) => void } | null = null;
  return {
    sent,
    submit(values: Values) {
      sent.push(values);
      return new Promise<void>((resolve, reject) => {
        answer = { resolve, reject };
      });
    },
    accept: () => act(async () => answer?.resolve()),
    refuse: (error: unknown) => act(async () => answer?.reject(error)),
  };
}

/** Return a refusal for the table of outcomes: its name, the error, and what the form then knows. */
const refusedWith = (
  status: number,
  unsure: boolean,
): [string, Error, { unsure: boolean; failure: boolean }] => [
  `status ${status}`,
  new ApiError(status, { code: "internal", message: "" }, null),
  { unsure, failure: true },
];

let form: FormControl<Values>;
interface SheetProps {
  values?: Values;
  submit: (values: Values) => Promise<void>;
  draft?: string;
  failed?: string;
  version?: string;
  read?: () => Promise<Values>;
}
function Sheet({ values = INITIAL, submit, draft, failed, version, read }: SheetProps) {
  form = useForm<Values>({
    values,
    rules: (values) => ({ name: values.name.trim() === "" ? "이름을 적어 주세요" : undefined }),
    conflictField: "name",
    conflictTexts: "이미 있는 이름입니다",
    submit,
    ...(draft === undefined ? {} : { draft }),
    ...(failed === undefined ? {} : { failed }),
    ...(version && { version }),
    ...(read && { read }),
  });
  return (
    <form onSubmit={form.submit} noValidate>
      <FormNotes form={form} />
      {(["name", "crops"] as const).map((field) => (
        <TextField key={field} {...form.field(field)} label={field} />
      ))}
      <button type="submit">save</button>
    </form>
  );
}

const show = (children: ReactNode) => render(<UiProvider>{children}</UiProvider>);
let server: ReturnType<typeof createServer>;
/** Show a form of stored values. @returns a function that changes them, as another user's save does */
function showStored() {
  const sheet = (values: Values) => (
    <UiProvider>
      <Sheet values={values} submit={server.submit} />
    </UiProvider>
  );
  const { rerender } = render(sheet(INITIAL));
  return (values: Values) => rerender(sheet(values));
}
const box = (name: string) => screen.getByRole<HTMLInputElement>("textbox", { name });
const type = (name: string, text: string) => fireEvent.change(box(name), { target: { value: text } });
// The form validates asynchronously.
const save = () => act(async () => fireEvent.click(screen.getByRole("button", { name: "save" })));

describe("use form", () => {
  beforeEach(async () => {
    provideBrowserParts();
    await speakKorean();
    server = createServer();
  });
  afterEach(cleanup);

  it("[form] shows errors after the first submit or when the user leaves a field, and focuses the first", async () => {
    show(<Sheet submit={server.submit} />);
    type("name", "");
    expect(screen.queryByRole("alert")).toBeNull();
    await save();
    expect(screen.getByRole("alert").textContent).toBe("이름을 적어 주세요");
    expect(document.activeElement).toBe(box("name"));
    expect(server.sent).toEqual([]);
    type("name", "남쪽 밭");
    expect(screen.queryByRole("alert")).toBeNull();
    type("name", " ");
    fireEvent.blur(box("name"));
    expect(screen.getByRole("alert")).not.toBeNull();
  });

  it("[form] keeps typed values after a refusal, shows it at its field, and sends once for a double press", async () => {
    show(<Sheet submit={server.submit} />);
    type("crops", "보리");
    await act(async () => {
      const button = screen.getByRole("button", { name: "save" });
      fireEvent.click(button);
      fireEvent.click(button);
    });
    await save();
    expect(server.sent).toEqual([{ ...INITIAL, crops: "보리" }]);
    const errors = [{ field: "crops", defaultMessage: "too long" }];
    await server.refuse(new ApiError(422, { code: "validation", message: "", errors }, null));
    expect(screen.getByRole("alert").textContent).toBe(
      "서버가 이 값을 허용하지 않습니다. 고쳐서 다시 저장해 주세요",
    );
    expect(box("crops").value).toBe("보리");
    expect(document.activeElement).toBe(box("crops"));
    type("crops", "콩");
    expect(screen.queryByRole("alert")).toBeNull();
  });

  it("[spec 8] quotes a foreign server's own text at its field, in any language", async () => {
    show(<Sheet submit={server.submit} />);
    type("crops", "보리");
    await save();
    const errors = [{ field: "crops", defaultMessage: "작물 이름이 너무 깁니다" }];
    await server.refuse(new ApiError(400, { code: "malformed", message: "", errors, own: false }, null));
    expect(screen.getByRole("alert").textContent).toBe("서버에서 거절했습니다: 작물 이름이 너무 깁니다");
    await save();
    const message = "등록할 수 없는 작물입니다";
    await server.refuse(new ApiError(400, { code: "malformed", message, own: false }, null));
    expect(screen.getByRole("alert").textContent).toBe(
      `저장하지 못했습니다. 서버에서 거절했습니다: ${message}`,
    );
  });

  it('[form] shows "already exists" at the field that must change', async () => {
    show(<Sheet submit={server.submit} />);
    type("name", "남쪽 밭");
    await save();
    await server.refuse(new ApiError(409, { code: "conflict", message: "" }, null));
    expect(box("name").getAttribute("aria-invalid")).toBe("true");
    expect(screen.getByRole("alert").textContent).toBe("이미 있는 이름입니다");
  });

  it("[form] keeps everything without an answer and may save on the next try", async () => {
    show(<Sheet submit={server.submit} />);
    type("name", "남쪽 밭");
    await save();
    await server.refuse(new NoAnswerError("PUT"));
    expect(screen.queryByRole("alert")).toBeNull();
    expect(screen.getByTestId("form-unsure").textContent).toContain("저장되었는지 알 수 없습니다");
    expect(form.changed).toBe(true);
    await save();
    await server.accept();
    expect(screen.queryByRole("alert")).toBeNull();
    expect(form.changed).toBe(false);
    expect(server.sent).toHaveLength(2);
  });

  it.each<[string, Error, { unsure: boolean; failure: boolean }]>([
    ["no answer", new NoAnswerError("PUT"), { unsure: true, failure: false }],
    ["no network at the press", new NotSentError("PUT"), { unsure: false, failure: true }],
    ["an unreadable answer", new BadAnswerError("PUT"), { unsure: true, failure: true }],
    ...[400, 403, 404, 412, 413, 422, 429].map((status) => refusedWith(status, false)),
    ...[500, 502, 503, 504, 507, 599].map((status) => refusedWith(status, true)),
  ])("[CMD-19] knows after %s if a save may have been carried out", async (_, error, expected) => {
    show(<Sheet submit={server.submit} />);
    type("name", "남쪽 밭");
    await save();
    await server.refuse(error);
    expect({ unsure: form.unsure, failure: form.failure !== null }).toEqual(expected);
    expect(form.changed).toBe(true);
  });

  const cases: readonly [string, unknown, "nothing saved" | "not known" | "own words"][] = [
    ["no answer", new NoAnswerError("PUT"), "not known"],
    ["no network at the press", new NotSentError("PUT"), "nothing saved"],
    ["an unreadable answer", new BadAnswerError("PUT"), "not known"],
    ["the form's own words", new FormFailure("사진을 빼고 모두 저장했습니다."), "own words"],
    ...[400, 401, 403, 404, 409, 412, 413, 415, 422, 429].flatMap(
      (status): [string, unknown, "nothing saved"][] => [
        [
          `${status} with a code`,
          new ApiError(status, { code: "internal", message: "" }, null),
          "nothing saved",
        ],
        [
          `${status} without a code`,
          new ApiError(status, { code: "", message: "no" }, null),
          "nothing saved",
        ],
      ],
    ),
    ...[500, 502, 503, 507].map((status): [string, unknown, "not known"] => [
      `${status}`,
      new ApiError(status, { code: "internal", message: "" }, null),
      "not known",
    ]),
  ];
  it.each(cases)("[FORM-1] says after %s what became of the content", async (_, error, expected) => {
    for (const failed of [undefined, "농장을 등록하지 못했습니다."]) {
      show(<Sheet submit={server.submit} {...(failed && { failed })} />);
      type("crops", "콩");
      await save();
      await server.refuse(error);
      const notes = [...document.querySelectorAll("[role=alert], [data-testid=form-unsure]")]
        .map(({ textContent }) => textContent)
        .join(" ");
      const atField = screen.queryByText("이미 있는 이름입니다") !== null;
      if (!atField) {
        expect(notes.includes(failed ?? "저장하지 못했습니다.")).toBe(expected === "nothing saved");
        expect(notes.includes("저장되었는지 알 수 없습니다")).toBe(expected === "not known");
        expect(notes).not.toBe("");
      }
      cleanup();
    }
  });

  it("[CMD-19] ends the doubt about a call without an answer when the thing is reported as it was sent", async () => {
    const store = showStored();
    type("name", "남쪽 밭");
    await save();
    await server.refuse(new NoAnswerError("PUT"));
    expect(form.unsure).toBe(true);
    store({ ...INITIAL, crops: "콩" });
    expect(form.unsure).toBe(true);
    store({ ...INITIAL, name: "남쪽 밭" });
    expect(form.unsure).toBe(false);
    expect(form.changed).toBe(false);
    expect(server.sent).toHaveLength(1);
  });

  it("[W-6] ends the doubt by itself: sends the same version again, or reads what it does not follow", async () => {
    show(<Sheet submit={server.submit} version="v1" />);
    type("name", "남쪽 밭");
    await save();
    await server.refuse(new ApiError(503, { code: "upstream-down", message: "" }, null));
    expect(form.failure).not.toBeNull();
    await vi.waitFor(() => expect(server.sent).toHaveLength(2), { timeout: 5_000 });
    expect(form.unsure).toBe(true);
    await server.accept();
    expect({ unsure: form.unsure, changed: form.changed, failure: form.failure }).toEqual({
      unsure: false,
      changed: false,
      failure: null,
    });
    cleanup();
    show(<Sheet submit={server.submit} read={async () => ({ ...INITIAL, name: "동쪽 밭" })} />);
    type("name", "동쪽 밭");
    await save();
    await server.refuse(new NoAnswerError("PUT"));
    expect(form.unsure).toBe(true);
    await vi.waitFor(() => expect(form.unsure).toBe(false), { timeout: 5_000 });
    expect(server.sent).toHaveLength(3);
  });

  it("[form] returns the focus to the button after an answer about no field", async () => {
    show(<Sheet submit={server.submit} />);
    type("name", "남쪽 밭");
    const button = screen.getByRole("button", { name: "save" });
    button.focus();
    await save();
    // A browser blurs a button that becomes disabled.
    button.blur();
    await server.refuse(new NoAnswerError("PUT"));
    expect(document.activeElement).toBe(button);
  });

  it("[HS-4] holds the page while it has unsaved values, also without the focus", async () => {
    show(<Sheet submit={server.submit} />);
    expect(isPageHeld()).toBe(false);
    type("name", "남쪽 밭");
    expect(isPageHeld()).toBe(true);
    await save();
    expect(isPageHeld()).toBe(true);
    await server.accept();
    expect(isPageHeld()).toBe(false);
    type("name", "서쪽 밭");
    cleanup();
    expect(isPageHeld()).toBe(false);
  });

  it("[form] applies a change from elsewhere, and lets the user choose in a conflict", () => {
    const follow = showStored();
    follow({ name: "동쪽 밭", crops: "벼" });
    expect(box("name").value).toBe("동쪽 밭");
    type("name", "내 밭");
    follow({ name: "그들의 밭", crops: "콩" });
    expect([box("name").value, box("crops").value]).toEqual(["내 밭", "콩"]);
    fireEvent.click(screen.getByRole("button", { name: "바뀐 내용 가져오기" }));
    expect(box("name").value).toBe("그들의 밭");
    expect(form.changed).toBe(false);
    type("name", "내 밭");
    follow({ name: "또 다른 밭", crops: "콩" });
    fireEvent.click(screen.getByRole("button", { name: "내가 쓴 내용 두기" }));
    expect(box("name").value).toBe("내 밭");
    expect(form.changed).toBe(true);
    expect(screen.queryByRole("button", { name: "내가 쓴 내용 두기" })).toBeNull();
  });

  it("[form] follows again once another user has made the same change", () => {
    const follow = showStored();
    type("name", "내 밭");
    follow({ ...INITIAL, name: "내 밭" });
    expect(form.changed).toBe(false);
    follow({ ...INITIAL, name: "그들의 밭" });
    expect(box("name").value).toBe("그들의 밭");
    expect(form.elsewhere).toBeNull();
  });

  it("[form] stays busy through a change from elsewhere, and keeps what is typed while it saves", async () => {
    const follow = showStored();
    type("name", "내 밭");
    await save();
    type("name", "내 새 밭");
    follow({ ...INITIAL, crops: "콩" });
    expect(form.busy).toBe(true);
    await save();
    expect(server.sent).toHaveLength(1);
    await server.accept();
    expect([box("name").value, box("crops").value]).toEqual(["내 새 밭", "콩"]);
    expect(form.busy).toBe(false);
    expect(form.changed).toBe(true);
  });

  it("[form] shows a refusal at its field although another change arrived before it", async () => {
    const follow = showStored();
    type("name", "내 밭");
    await save();
    follow({ ...INITIAL, crops: "콩" });
    await server.refuse(new ApiError(409, { code: "conflict", message: "" }, null));
    expect(screen.getByRole("alert").textContent).toBe("이미 있는 이름입니다");
    expect(document.activeElement).toBe(box("name"));
  });

  it("[form] does not undo a save by repeated earlier content", async () => {
    const follow = showStored();
    type("name", "내 밭");
    await save();
    await server.accept();
    follow({ ...INITIAL });
    expect(box("name").value).toBe("내 밭");
    expect(form.changed).toBe(false);
  });

  it("[form] counts a change from an empty list to none, also after a change from elsewhere", () => {
    const { result, rerender } = renderHook(
      (name: string) =>
        useForm<{ name: string; sensors: string[] | null }>({
          values: { name, sensors: [] },
          rules: () => ({}),
          submit: async () => undefined,
        }),
      { initialProps: "a", wrapper: UiProvider },
    );
    act(() => result.current.set("sensors", null));
    expect(result.current.changed).toBe(true);
    rerender("b");
    expect(result.current.values).toEqual({ name: "b", sensors: null });
    expect(result.current.changed).toBe(true);
  });

  it("[form] restores the typed values after a session ends and the user signs in again", () => {
    const store = createStore<SessionState>(() => ({
      state: "signed-in",
      account: buildAccount(),
      accessToken: "a",
    }));
    const tokens = { accessToken: () => null, refresh: async () => null };
    const client = createRestClient(tokens, () => Promise.reject(new TypeError("network")));
    const rest = { session: { store }, client } as unknown as Rest;
    const sheet = (
      <RestContext value={rest}>
        <Sheet submit={server.submit} draft="field-7" />
      </RestContext>
    );
    const first = show(sheet);
    type("name", "내 밭");
    act(() => store.setState({ state: "signed-out", reason: "expired" }, true));
    first.unmount();
    const second = show(sheet);
    expect(box("name").value).toBe("내 밭");
    expect(form.changed).toBe(true);
    act(() => store.setState({ state: "signed-out", reason: "left" }, true));
    second.unmount();
    show(sheet);
    expect(box("name").value).toBe(INITIAL.name);
  });
});
