import { buildAccount } from "@mulkko/shared/testing/builders";
import { cleanup, fireEvent, screen, waitFor } from "@testing-library/react";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { dropDraft } from "../../domain/form/use-form.ts";
import { createPageBench, type PageBench, refusal } from "../../testing/page-bench.tsx";
import { ContactForm } from "./ContactForm.tsx";

const field = (label: RegExp) => screen.getByLabelText(label);
const type = (label: RegExp, value: string) => fireEvent.change(field(label), { target: { value } });
const send = () => fireEvent.click(screen.getByRole("button", { name: "보내기" }));

describe("contact form", () => {
  let page: PageBench;
  let closed: number;
  const show = () => page.show(<ContactForm onClose={() => closed++} />);
  beforeEach(async () => {
    page = await createPageBench();
    closed = 0;
    show();
  });
  afterEach(() => {
    cleanup();
    dropDraft(`contact ${buildAccount().id}`);
    localStorage.clear();
  });

  it("[contact] sends name, title and message as a form, without the displayed email", async () => {
    page.answer = () => null;
    expect(field(/이름/)).toHaveProperty("value", "김선우");
    expect(field(/이메일/)).toHaveProperty("value", "kim@example.com");
    expect(field(/이메일/)).toHaveProperty("readOnly", true);
    type(/제목/, "펌프");
    type(/내용/, "소리가 큽니다");
    send();
    await waitFor(() => expect(closed).toBe(1));
    const body = new URLSearchParams({ name: "김선우", title: "펌프", message: "소리가 큽니다" });
    expect(page.requests).toEqual([{ call: "POST /api/account/contact", body: `${body}` }]);
  });
  it.each(["", "   ", "\n\t "])("[contact] requires a message: %o sends nothing", async (message) => {
    type(/내용/, message);
    send();
    expect((await screen.findByRole("alert")).textContent).toBe("내용을 입력해 주세요.");
    expect(page.requests).toEqual([]);
    expect(closed).toBe(0);
  });
  it("[contact] requires a name", async () => {
    type(/이름/, "  ");
    type(/내용/, "소리가 큽니다");
    send();
    expect((await screen.findByRole("alert")).textContent).toBe("이름을 입력해 주세요.");
    expect(page.requests).toEqual([]);
  });
  it("[contact] shows a failure at the form and keeps the text", async () => {
    page.answer = () => refusal(429, "too-many-requests");
    type(/내용/, "소리가 큽니다");
    send();
    expect((await screen.findByRole("alert")).textContent).toMatch(
      /^문의를 보내지 못했습니다\. .*요청이 너무 많습니다/,
    );
    expect(field(/내용/)).toHaveProperty("value", "소리가 큽니다");
    expect(closed).toBe(0);
  });
  it("[contact] restores unsent text when reopened, and clears it after sending", async () => {
    type(/내용/, "소리가 큽니다");
    cleanup();
    show();
    expect(field(/내용/)).toHaveProperty("value", "소리가 큽니다");
    page.answer = () => null;
    send();
    await waitFor(() => expect(closed).toBe(1));
    cleanup();
    show();
    expect(field(/내용/)).toHaveProperty("value", "");
  });
});
