import { cleanup, fireEvent, render, screen } from "@testing-library/react";
import { afterEach, beforeAll, describe, expect, it } from "vitest";
import { speakKorean } from "../../testing/speak-korean.ts";
import { ConfirmSlide } from "./confirm-slide.tsx";

const TRACK = 256;
const THUMB = 48;

function setUp(disabledReason: string | null = null) {
  const said: string[] = [];
  render(
    <ConfirmSlide
      onConfirm={() => said.push("confirm")}
      onAsk={() => said.push("ask")}
      disabledReason={disabledReason}
    />,
  );
  const track = screen.getByRole("button");
  Object.defineProperty(track, "clientWidth", { value: TRACK });
  // With large letters the track is higher than the thumb is wide.
  Object.defineProperty(track, "clientHeight", { value: 2 * THUMB });
  Object.defineProperty(track.querySelector(".confirm-slide__thumb"), "offsetWidth", { value: THUMB });
  const pointer = { pointerId: 1, isPrimary: true, button: 0 };
  const drag = (to: number, ending: "up" | "cancel" = "up") => {
    fireEvent.pointerDown(track, { ...pointer, clientX: 0 });
    fireEvent.pointerMove(track, { ...pointer, clientX: to });
    if (ending === "cancel") fireEvent.pointerCancel(track, pointer);
    else {
      fireEvent.pointerUp(track, pointer);
      fireEvent.click(track);
    }
  };
  return { said, track, drag };
}

describe("[ConfirmSlide]", () => {
  beforeAll(speakKorean);
  afterEach(cleanup);

  it("[ConfirmSlide] confirms once on release past 85 %, and ignores the click that follows", () => {
    const { said, drag } = setUp();
    drag((TRACK - THUMB) * 0.86);
    expect(said).toEqual(["confirm"]);
  });

  it("[ConfirmSlide] does nothing after an early release or a cancelled pointer", () => {
    const { said, drag } = setUp();
    drag((TRACK - THUMB) * 0.84);
    drag(TRACK, "cancel");
    expect(said).toEqual([]);
  });

  it("[ConfirmSlide] opens the dialog on a tap, on Enter and on a screen reader's click", () => {
    const { said, drag, track } = setUp();
    drag(2);
    fireEvent.click(track);
    expect(said).toEqual(["ask", "ask"]);
  });

  it("[CMD-8] shows the reason while disabled and does neither", () => {
    const { said, drag } = setUp("오프라인");
    drag(TRACK);
    drag(0);
    expect(said).toEqual([]);
    expect(screen.getByRole("button", { name: /오프라인/ }).getAttribute("aria-disabled")).toBe("true");
  });
});
