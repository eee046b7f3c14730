import { cleanup, fireEvent, render, screen, waitFor } from "@testing-library/react";
import { useState } from "react";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { provideBrowserParts } from "../testing/browser-parts.ts";
import { speakKorean } from "../testing/speak-korean.ts";
import { ConfirmDialog } from "./dialog.tsx";
import { UiProvider } from "./provider.tsx";

function Page({ busy, said }: { busy: boolean; said: string[] }) {
  const [open, setOpen] = useState(false);
  return (
    <UiProvider>
      <button type="button" onClick={() => setOpen(true)}>
        ask
      </button>
      <ConfirmDialog
        open={open}
        title="정말 삭제할까요?"
        body={<p>기록도 함께 사라집니다</p>}
        confirmLabel="삭제"
        danger
        busy={busy}
        onConfirm={() => said.push("confirmed")}
        onClose={() => {
          said.push("closed");
          setOpen(false);
        }}
      />
    </UiProvider>
  );
}

describe("confirm dialog", () => {
  const said: string[] = [];
  const ask = (busy: boolean) => {
    render(<Page busy={busy} said={said} />);
    const button = screen.getByRole("button", { name: "ask" });
    button.focus();
    fireEvent.click(button);
    return screen.findByRole("alertdialog", { name: "정말 삭제할까요?" });
  };
  beforeEach(async () => {
    provideBrowserParts();
    await speakKorean();
    said.length = 0;
  });
  afterEach(cleanup);

  it("[overlay] focuses on cancelling; Escape cancels and returns the focus", async () => {
    await ask(false);
    await waitFor(() => expect(document.activeElement?.textContent).toBe("취소"));
    fireEvent.click(screen.getByRole("button", { name: "삭제" }));
    fireEvent.keyDown(document.body, { key: "Escape" });
    await waitFor(() => expect(screen.queryByRole("alertdialog")).toBeNull());
    expect(said).toEqual(["confirmed", "closed"]);
    await waitFor(() => expect(document.activeElement?.textContent).toBe("ask"));
  });

  it("[overlay] cannot be cancelled while the action runs", async () => {
    const dialog = await ask(true);
    await waitFor(() => expect(dialog.contains(document.activeElement)).toBe(true));
    fireEvent.keyDown(document.body, { key: "Escape" });
    expect(said).toEqual([]);
  });
});
