import { cleanup, fireEvent, render, screen, waitFor } from "@testing-library/react";
import { useState } from "react";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { provideBrowserParts } from "../testing/browser-parts.ts";
import { speakKorean } from "../testing/speak-korean.ts";
import { UiProvider } from "./provider.tsx";
import { type SearchOption, SearchSelect } from "./search-select.tsx";

const OPTIONS: readonly SearchOption[] = [
  { value: "a", label: "24110101 북쪽" },
  { value: "b", label: "24110102 남쪽", disabled: true },
  { value: "c", label: "24110103 동쪽" },
];

function Chooser({ onPick }: { onPick: (value: string) => void }) {
  const [text, setText] = useState("");
  const options = OPTIONS.filter((option) => option.label.includes(text));
  return <SearchSelect label="센서" text={text} onText={setText} options={options} onPick={onPick} />;
}

describe("search select", () => {
  const picked: string[] = [];
  beforeEach(async () => {
    provideBrowserParts();
    await speakKorean();
    picked.length = 0;
    render(
      <UiProvider>
        <Chooser onPick={(value) => picked.push(value)} />
      </UiProvider>,
    );
  });
  afterEach(cleanup);
  const box = () => screen.getByRole("combobox", { name: "센서" });
  const active = () => document.getElementById(box().getAttribute("aria-activedescendant") ?? "");

  it("[form] proposes matching options and selects one by keyboard alone, past a disabled one", async () => {
    fireEvent.focus(box());
    fireEvent.keyDown(box(), { key: "ArrowDown" });
    await waitFor(() => expect(active()?.textContent).toBe("24110101 북쪽"));
    expect(screen.getAllByRole("option")).toHaveLength(3);
    fireEvent.keyDown(box(), { key: "ArrowDown" });
    await waitFor(() => expect(active()?.textContent).toBe("24110103 동쪽"));
    fireEvent.keyDown(box(), { key: "Enter" });
    await waitFor(() => expect(picked).toEqual(["c"]));
    await waitFor(() => expect(screen.queryAllByRole("option")).toHaveLength(0));
  });

  it("[form] shows a disabled option without selecting it and omits options that do not match", async () => {
    fireEvent.focus(box());
    fireEvent.click(box());
    fireEvent.click(await screen.findByRole("option", { name: "24110102 남쪽" }));
    expect(picked).toEqual([]);
    fireEvent.change(box(), { target: { value: "동" } });
    await waitFor(() =>
      expect(screen.getAllByRole("option").map((option) => option.textContent)).toEqual(["24110103 동쪽"]),
    );
    expect(box().getAttribute("aria-expanded")).toBe("true");
    fireEvent.keyDown(box(), { key: "Escape" });
    await waitFor(() => expect(box().getAttribute("aria-expanded")).toBe("false"));
    expect(box()).toHaveProperty("value", "동");
  });

  it("[form] leaves Enter to an input method's composition", async () => {
    fireEvent.focus(box());
    fireEvent.keyDown(box(), { key: "ArrowDown" });
    await waitFor(() => expect(active()).not.toBeNull());
    fireEvent.keyDown(box(), { key: "Enter", isComposing: true });
    expect(picked).toEqual([]);
  });

  it("[form] does not submit the form around it while the list is open", async () => {
    fireEvent.focus(box());
    fireEvent.click(box());
    await screen.findAllByRole("option");
    expect(fireEvent.keyDown(box(), { key: "Enter" })).toBe(false);
    fireEvent.keyDown(box(), { key: "Escape" });
    await waitFor(() => expect(box().getAttribute("aria-expanded")).toBe("false"));
    expect(fireEvent.keyDown(box(), { key: "Enter" })).toBe(true);
  });
});
