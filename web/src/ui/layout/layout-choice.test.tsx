import { act, cleanup, renderHook } from "@testing-library/react";
import { afterEach, describe, expect, it } from "vitest";
import { DEFAULT_LAYOUT, LAYOUT_KEY, readLayout, useLayout } from "./layout-choice.ts";

describe("[layout]", () => {
  afterEach(() => {
    cleanup();
    localStorage.clear();
  });

  it("[layout] begins as the specification says: fluid, dark sidebar, light topbar", () => {
    expect(readLayout(null)).toEqual(DEFAULT_LAYOUT);
    expect(DEFAULT_LAYOUT).toMatchObject({ width: "fluid", sidebarTheme: "ink", topbar: "panel" });
  });
  it("[layout] what is chosen is kept in this browser, and the rest stays", () => {
    const { result } = renderHook(useLayout);
    act(() => result.current.choose({ sidebar: "icon" }));
    act(() => result.current.choose({ width: "boxed" }));
    expect(result.current.layout).toEqual({ ...DEFAULT_LAYOUT, sidebar: "icon", width: "boxed" });
    expect(readLayout(localStorage.getItem(LAYOUT_KEY))).toEqual(result.current.layout);
    act(() => result.current.choose(null));
    expect(result.current.layout).toEqual(DEFAULT_LAYOUT);
  });
  it("[layout] another tab's choice is followed", () => {
    const { result } = renderHook(useLayout);
    localStorage.setItem(LAYOUT_KEY, JSON.stringify({ topbar: "ink" }));
    act(() => {
      window.dispatchEvent(new StorageEvent("storage", { key: LAYOUT_KEY }));
    });
    expect(result.current.layout.topbar).toBe("ink");
  });
  it.each(["", "{", "[]", "7", '{"width":"huge","topbar":{"ink":1}}', "null"])(
    "[layout] %j in the storage is as if nobody had chosen",
    (stored) => {
      expect(readLayout(stored)).toEqual(DEFAULT_LAYOUT);
    },
  );
});
