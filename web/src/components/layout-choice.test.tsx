import { act, cleanup, renderHook } from "@testing-library/react";
import { afterEach, describe, expect, it } from "vitest";
import { DEFAULT_LAYOUT, LAYOUT_KEY, readLayout, useLayout } from "./layout-choice.ts";

describe("[layout]", () => {
  afterEach(() => {
    cleanup();
    localStorage.clear();
  });

  it("[layout] starts with the specification's defaults: vertical, fluid, dark sidebar, light topbar", () => {
    expect(readLayout(null)).toEqual(DEFAULT_LAYOUT);
    expect(DEFAULT_LAYOUT).toMatchObject({
      type: "vertical",
      width: "fluid",
      sidebarTheme: "ink",
      topbar: "panel",
    });
  });
  it("[layout] stores a choice in this browser and keeps the rest", () => {
    const { result } = renderHook(useLayout);
    act(() => result.current.choose({ sidebar: "icon" }));
    act(() => result.current.choose({ width: "boxed", type: "horizontal" }));
    expect(result.current.layout).toEqual({
      ...DEFAULT_LAYOUT,
      sidebar: "icon",
      width: "boxed",
      type: "horizontal",
    });
    expect(readLayout(localStorage.getItem(LAYOUT_KEY))).toEqual(result.current.layout);
    act(() => result.current.choose(null));
    expect(result.current.layout).toEqual(DEFAULT_LAYOUT);
  });
  it("[layout] applies another tab's choice", () => {
    const { result } = renderHook(useLayout);
    localStorage.setItem(LAYOUT_KEY, JSON.stringify({ topbar: "ink" }));
    act(() => {
      window.dispatchEvent(new StorageEvent("storage", { key: LAYOUT_KEY }));
    });
    expect(result.current.layout.topbar).toBe("ink");
  });
  it.each(["", "{", "[]", "7", '{"type":"diagonal","width":"huge","topbar":{"ink":1}}', "null"])(
    "[layout] ignores %j in the storage",
    (stored) => {
      expect(readLayout(stored)).toEqual(DEFAULT_LAYOUT);
    },
  );
});
