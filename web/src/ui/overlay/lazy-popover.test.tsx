import { cleanup, fireEvent, render, screen } from "@testing-library/react";
import { useState } from "react";
import { afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { speakKorean } from "../../testing/speak-korean.ts";
import { UiProvider } from "../provider.tsx";
import { LazyPopover, type PopoverBody } from "./lazy-popover.tsx";

const Body: PopoverBody = ({ onClose }) => (
  <button type="button" onClick={onClose}>
    inside
  </button>
);

let fetched: number;
let offline: boolean;
const load = async (): Promise<PopoverBody> => {
  fetched += 1;
  if (offline) throw new TypeError("Failed to fetch");
  return Body;
};

function Header() {
  const [open, setOpen] = useState(false);
  return (
    <>
      <LazyPopover
        open={open}
        onOpenChange={setOpen}
        label="news"
        className="news"
        load={load}
        button={(props) => (
          <button type="button" {...props}>
            bell
          </button>
        )}
      />
      <button type="button">elsewhere</button>
    </>
  );
}

const bell = () => screen.getByRole("button", { name: "bell" });

describe("[lazy-popover]", () => {
  beforeAll(speakKorean);
  beforeEach(() => {
    fetched = 0;
    offline = false;
    render(<Header />, { wrapper: UiProvider });
  });
  afterEach(cleanup);

  it("[lazy-popover] loads nothing until the user approaches its button", async () => {
    expect(fetched).toBe(0);
    fireEvent.pointerEnter(bell());
    expect(fetched).toBe(1);
    expect(screen.queryByRole("dialog")).toBeNull();
  });

  it("[lazy-popover] opens at once with the focus inside and sets the button's expanded state", async () => {
    fireEvent.click(bell());
    const panel = screen.getByRole("dialog", { name: "news" });
    expect(document.activeElement).toBe(panel);
    expect(bell().getAttribute("aria-expanded")).toBe("true");
    expect(bell().getAttribute("aria-controls")).toBe(panel.id);
    await screen.findByRole("button", { name: "inside" });
    fireEvent.click(bell());
    expect(screen.queryByRole("dialog")).toBeNull();
    expect(bell().getAttribute("aria-expanded")).toBe("false");
  });

  it("[lazy-popover] closes on Escape and by its content, and returns the focus to the button", async () => {
    fireEvent.click(bell());
    fireEvent.keyDown(await screen.findByRole("button", { name: "inside" }), { key: "Escape" });
    expect(screen.queryByRole("dialog")).toBeNull();
    expect(document.activeElement).toBe(bell());
    fireEvent.click(bell());
    fireEvent.click(await screen.findByRole("button", { name: "inside" }));
    expect(screen.queryByRole("dialog")).toBeNull();
    expect(document.activeElement).toBe(bell());
  });

  it.each(["pointerDown", "focusIn"] as const)("[lazy-popover] closes on a %s elsewhere", async (kind) => {
    fireEvent.click(bell());
    const inside = await screen.findByRole("button", { name: "inside" });
    fireEvent[kind](inside);
    expect(screen.queryByRole("dialog")).not.toBeNull();
    fireEvent[kind](screen.getByRole("button", { name: "elsewhere" }));
    expect(screen.queryByRole("dialog")).toBeNull();
  });

  it("[lazy-popover] reports a failed load and retries the next time", async () => {
    offline = true;
    fireEvent.click(bell());
    await screen.findByRole("alert");
    fireEvent.click(bell());
    offline = false;
    fireEvent.click(bell());
    await screen.findByRole("button", { name: "inside" });
  });
});
