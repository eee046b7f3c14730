import { act, cleanup, render, screen } from "@testing-library/react";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { PRELOADER_AT_MOST_MS, Preloader } from "./progress.tsx";
import { UiProvider } from "./provider.tsx";

describe("[preloader]", () => {
  beforeEach(() => {
    vi.useFakeTimers();
  });
  afterEach(() => {
    cleanup();
    vi.useRealTimers();
  });

  it("[preloader] hides as soon as the page is ready", () => {
    const { rerender } = render(<Preloader ready={false} label="loading" />, { wrapper: UiProvider });
    expect(screen.queryByRole("status")).not.toBeNull();
    rerender(<Preloader ready label="loading" />);
    expect(screen.queryByRole("status")).toBeNull();
  });

  it("[preloader] hides after 2,500 ms even while parts still load", () => {
    render(<Preloader ready={false} label="loading" />, { wrapper: UiProvider });
    act(() => vi.advanceTimersByTime(PRELOADER_AT_MOST_MS - 1));
    expect(screen.queryByRole("status")).not.toBeNull();
    act(() => vi.advanceTimersByTime(1));
    expect(screen.queryByRole("status")).toBeNull();
  });
});
