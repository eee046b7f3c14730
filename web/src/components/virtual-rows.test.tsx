import { act, cleanup, render, screen } from "@testing-library/react";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { provideBrowserParts } from "../testing/browser-parts.ts";
import { VirtualRows, WHOLE_UP_TO } from "./virtual-rows.tsx";

const ROW = 50;

/** Simulate layout: the list begins at the top of the page, every row is 50 px high. */
function layOut(): () => void {
  const { prototype } = HTMLElement;
  const { getBoundingClientRect } = prototype;
  const height = Object.getOwnPropertyDescriptor(prototype, "offsetHeight");
  prototype.getBoundingClientRect = function (this: HTMLElement) {
    return this.tagName === "UL" ? new DOMRect(0, -window.scrollY, 300, 0) : new DOMRect(0, 0, 300, ROW);
  };
  Object.defineProperty(prototype, "offsetHeight", { configurable: true, value: ROW });
  return () => {
    prototype.getBoundingClientRect = getBoundingClientRect;
    if (height) Object.defineProperty(prototype, "offsetHeight", height);
  };
}

/** Scroll the page to a row. */
function scrollTo(row: number): void {
  Object.assign(window, { scrollY: row * ROW });
  act(() => {
    window.dispatchEvent(new Event("scroll"));
  });
}

const Numbers = ({ count, whole, even }: { count: number; whole?: number; even?: boolean }) => (
  <VirtualRows
    count={count}
    even={even ?? false}
    estimate={ROW}
    keyOf={(index) => `${index}`}
    render={(index) => <span>row {index}</span>}
    {...(whole === undefined ? {} : { whole })}
  />
);

describe("virtual rows", () => {
  let restore = (): void => undefined;
  beforeEach(() => {
    provideBrowserParts();
    restore = layOut();
  });
  afterEach(() => {
    cleanup();
    restore();
    Object.assign(window, { scrollY: 0 });
  });
  const shown = () => screen.queryAllByRole("listitem");

  it("[list] renders up to sixty items whole, and virtualizes parts of a long page", () => {
    const { rerender } = render(<Numbers count={WHOLE_UP_TO} />);
    expect(shown()).toHaveLength(60);
    rerender(<Numbers count={WHOLE_UP_TO} whole={61} />);
    expect(shown().length).toBeLessThan(60);
  });

  it("[list] renders rows near the window out of a thousand, and keeps the list's full height", () => {
    render(<Numbers count={1_000} />);
    const rows = shown();
    expect(rows.length).toBe(Math.ceil(window.innerHeight / ROW) + 8);
    expect(rows[0]?.textContent).toBe("row 0");
    expect(rows[0]?.getAttribute("aria-posinset")).toBe("1");
    expect(rows[0]?.getAttribute("aria-setsize")).toBe("1000");
    const { paddingBlockStart, paddingBlockEnd } = screen.getByRole("list").style;
    expect(Number.parseInt(paddingBlockStart, 10) + Number.parseInt(paddingBlockEnd, 10)).toBe(
      (1_000 - rows.length) * ROW,
    );
  });

  it("[list] follows the scroll position", () => {
    render(<Numbers count={1_000} />);
    scrollTo(500);
    expect(shown()[0]?.textContent).toBe("row 492");
    expect(screen.getByRole("list").style.paddingBlockStart).toBe(`${492 * ROW}px`);
  });

  it("[list] moves the rendered rows in steps, so that most scroll events render nothing", () => {
    render(<Numbers count={1_000} even />);
    scrollTo(500);
    for (const row of [501, 503, 500]) {
      scrollTo(row);
      expect(shown()[0]?.textContent).toBe("row 492");
    }
    scrollTo(508);
    expect(shown()[0]?.textContent).toBe("row 500");
    expect(screen.getByRole("list").style.paddingBlockStart).toBe(`${500 * ROW}px`);
  });

  it("[list] renders the remaining rows when the list becomes short", () => {
    const { rerender } = render(<Numbers count={1_000} />);
    scrollTo(900);
    rerender(<Numbers count={3} />);
    expect(shown().map((row) => row.textContent)).toEqual(["row 0", "row 1", "row 2"]);
  });
});
