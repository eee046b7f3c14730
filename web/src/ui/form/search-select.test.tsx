import { cleanup, fireEvent, render, screen } from "@testing-library/react";
import { useState } from "react";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { speakKorean } from "../../testing/speak-korean.ts";
import { nextOption, type SearchOption, SearchSelect } from "./search-select.tsx";

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
    await speakKorean();
    picked.length = 0;
    render(<Chooser onPick={(value) => picked.push(value)} />);
  });
  afterEach(cleanup);
  const box = () => screen.getByRole("combobox", { name: "센서" });

  it("[form] moves through selectable options with the arrow keys, wrapping around", () => {
    expect([nextOption(OPTIONS, -1, 1), nextOption(OPTIONS, 0, 1), nextOption(OPTIONS, 2, 1)]).toEqual([
      0, 2, 0,
    ]);
    expect([nextOption(OPTIONS, -1, -1), nextOption(OPTIONS, 0, -1)]).toEqual([2, 2]);
    expect(nextOption([], -1, 1)).toBe(-1);
    expect(nextOption([{ value: "x", label: "x", disabled: true }], -1, 1)).toBe(-1);
  });

  it("[form] proposes matching options and selects one by keyboard alone", () => {
    fireEvent.focus(box());
    expect(screen.getAllByRole("option")).toHaveLength(3);
    fireEvent.keyDown(box(), { key: "ArrowDown" });
    fireEvent.keyDown(box(), { key: "ArrowDown" });
    const active = box().getAttribute("aria-activedescendant");
    expect(document.getElementById(active ?? "")?.textContent).toBe("24110103 동쪽");
    fireEvent.keyDown(box(), { key: "Enter" });
    expect(picked).toEqual(["c"]);
    expect(screen.queryAllByRole("option")).toHaveLength(0);
  });

  it("[form] announces a disabled option without selecting it and omits options that do not match", () => {
    fireEvent.focus(box());
    fireEvent.click(screen.getByRole("option", { name: "24110102 남쪽" }));
    expect(picked).toEqual([]);
    fireEvent.change(box(), { target: { value: "동" } });
    expect(screen.getAllByRole("option").map((option) => option.textContent)).toEqual(["24110103 동쪽"]);
    expect(box().getAttribute("aria-expanded")).toBe("true");
    fireEvent.keyDown(box(), { key: "Escape" });
    expect(box().getAttribute("aria-expanded")).toBe("false");
  });
});
