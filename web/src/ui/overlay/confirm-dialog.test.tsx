import { cleanup, fireEvent, render, screen } from "@testing-library/react";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { provideBrowserParts } from "../../testing/browser-parts.ts";
import { speakKorean } from "../../testing/speak-korean.ts";
import { UiProvider } from "../provider.tsx";
import { ConfirmDialog } from "./confirm-dialog.tsx";

describe("confirm dialog", () => {
  const said: string[] = [];
  const show = (busy: boolean) =>
    render(
      <UiProvider>
        <button type="button">before</button>
        <ConfirmDialog
          open
          title="정말 삭제할까요?"
          body={<p>기록도 함께 사라집니다</p>}
          confirmLabel="삭제"
          danger
          busy={busy}
          onConfirm={() => said.push("confirmed")}
          onClose={() => said.push("closed")}
        />
      </UiProvider>,
    );
  beforeEach(async () => {
    provideBrowserParts();
    await speakKorean();
    said.length = 0;
  });
  afterEach(cleanup);

  it("[overlay] focuses on cancelling; Escape and a press beside it cancel", () => {
    show(false);
    const dialog = screen.getByRole("alertdialog", { name: "정말 삭제할까요?" });
    expect(document.activeElement?.textContent).toBe("취소");
    fireEvent(dialog, new Event("cancel", { cancelable: true }));
    fireEvent.click(dialog);
    expect(said).toEqual(["closed", "closed"]);
    fireEvent.click(screen.getByText("기록도 함께 사라집니다"));
    expect(said).toHaveLength(2);
    fireEvent.click(screen.getByRole("button", { name: "삭제" }));
    expect(said[2]).toBe("confirmed");
  });

  it("[overlay] cannot be cancelled while the action runs", () => {
    show(true);
    fireEvent(screen.getByRole("alertdialog"), new Event("cancel", { cancelable: true }));
    expect(said).toEqual([]);
  });
});
