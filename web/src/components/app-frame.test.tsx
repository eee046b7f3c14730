import { cleanup, render, screen } from "@testing-library/react";
import { afterEach, describe, expect, it } from "vitest";
import { AppFrame } from "./app-frame.tsx";
import { LAYOUT_KEY } from "./layout-choice.ts";

const parts = () =>
  render(
    <AppFrame
      skipLabel="skip"
      header="header"
      notices="notices"
      menu={<nav aria-label="menu" />}
      bottom={<nav aria-label="bottom" />}
    >
      page
    </AppFrame>,
  );
const isBefore = (one: Element, other: Element) =>
  (one.compareDocumentPosition(other) & Node.DOCUMENT_POSITION_FOLLOWING) !== 0;

describe("[layout]", () => {
  afterEach(() => {
    cleanup();
    localStorage.clear();
    delete document.documentElement.dataset.surface;
  });

  it("[layout] places the menu of the vertical layout after the notices, beside the page", () => {
    document.documentElement.dataset.surface = "desktop";
    parts();
    expect(isBefore(screen.getByText("notices"), screen.getByRole("navigation", { name: "menu" }))).toBe(
      true,
    );
  });
  it("[layout] places the menu of the horizontal layout between the header and the notices", () => {
    document.documentElement.dataset.surface = "desktop";
    localStorage.setItem(LAYOUT_KEY, JSON.stringify({ type: "horizontal" }));
    parts();
    const menu = screen.getByRole("navigation", { name: "menu" });
    expect(isBefore(screen.getByRole("banner"), menu)).toBe(true);
    expect(isBefore(menu, screen.getByText("notices"))).toBe(true);
  });
  it("[layout] keeps a phone's navigation at the bottom for every layout type", () => {
    document.documentElement.dataset.surface = "phone";
    localStorage.setItem(LAYOUT_KEY, JSON.stringify({ type: "horizontal" }));
    parts();
    expect(screen.queryByRole("navigation", { name: "menu" })).toBeNull();
    screen.getByRole("navigation", { name: "bottom" });
  });
});
