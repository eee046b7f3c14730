import { cleanup, fireEvent, render, screen, waitFor } from "@testing-library/react";
import { useState } from "react";
import { afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { provideBrowserParts } from "../testing/browser-parts.ts";
import { speakKorean } from "../testing/speak-korean.ts";
import { LazyPopover, type PanelBody } from "./lazy-panels.tsx";
import { UiProvider } from "./provider.tsx";

const Body: PanelBody = ({ onClose }) => (
  <button type="button" onClick={onClose}>
    inside
  </button>
);

let fetched: number;
let offline: boolean;
const load = async (): Promise<PanelBody> => {
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
        width="20rem"
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

const isClosed = () => waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
const bell = () => screen.getByRole("button", { name: "bell" });

describe("[lazy-popover]", () => {
  beforeAll(async () => {
    provideBrowserParts();
    await speakKorean();
  });
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

  it("[lazy-popover] opens with the focus inside and sets the button's expanded state", async () => {
    fireEvent.click(bell());
    expect(bell().getAttribute("aria-expanded")).toBe("true");
    const inside = await screen.findByRole("button", { name: "inside" });
    const panel = screen.getByRole("dialog", { name: "news" });
    expect(bell().getAttribute("aria-controls")).toBe(panel.id);
    await waitFor(() => expect(panel.contains(document.activeElement)).toBe(true));
    expect(panel.contains(inside)).toBe(true);
    fireEvent.click(bell());
    await isClosed();
    expect(bell().getAttribute("aria-expanded")).toBe("false");
  });

  it("[lazy-popover] closes on Escape and by its content, and returns the focus to the button", async () => {
    fireEvent.click(bell());
    const inside = await screen.findByRole("button", { name: "inside" });
    await waitFor(() => expect(document.activeElement?.contains(inside)).toBe(true));
    // The panel listens one frame after it has the focus.
    await waitFor(() => {
      fireEvent.keyDown(document.body, { key: "Escape" });
      expect(screen.queryByRole("dialog")).toBeNull();
    });
    await waitFor(() => expect(document.activeElement).toBe(bell()));
    fireEvent.click(bell());
    fireEvent.click(await screen.findByRole("button", { name: "inside" }));
    await isClosed();
    await waitFor(() => expect(document.activeElement).toBe(bell()));
  });

  it("[lazy-popover] reports a failed load and retries the next time", async () => {
    offline = true;
    fireEvent.click(bell());
    await screen.findByRole("alert");
    fireEvent.click(bell());
    await isClosed();
    offline = false;
    fireEvent.click(bell());
    await screen.findByRole("button", { name: "inside" });
  });
});
