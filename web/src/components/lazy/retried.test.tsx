import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { AGAIN_AFTER_MS, missingStyles, retried, watchStyles } from "./retried.ts";

const links = () => [...document.querySelectorAll<HTMLLinkElement>("link[rel=stylesheet]")];
const addLink = (): HTMLLinkElement => {
  const link = document.createElement("link");
  link.rel = "stylesheet";
  link.href = "/assets/page.css";
  document.head.append(link);
  return link;
};
const latest = (): HTMLLinkElement => links().at(-1) ?? addLink();

describe("lazily loaded parts", () => {
  beforeEach(() => {
    watchStyles();
    vi.useFakeTimers();
  });
  afterEach(() => {
    vi.useRealTimers();
    for (const link of links()) link.remove();
  });

  it("[lazy] retries a stylesheet that failed to load until it succeeds", async () => {
    const first = addLink();
    first.dispatchEvent(new Event("error"));
    const second = missingStyles();
    expect(links()).toHaveLength(1);
    expect(latest()).not.toBe(first);
    expect(latest().href).toBe(first.href);
    latest().dispatchEvent(new Event("error"));
    await expect(second).rejects.toThrow("page.css");
    const third = missingStyles();
    latest().dispatchEvent(new Event("load"));
    await third;
    const there = latest();
    await missingStyles();
    expect(latest()).toBe(there);
  });

  it("[lazy] retries a part that failed to load, at once when the network returns", async () => {
    let calls = 0;
    const part = retried(async () => {
      calls += 1;
      if (calls < 3) throw new TypeError("Failed to fetch dynamically imported module");
      return "there";
    });
    await vi.advanceTimersByTimeAsync(AGAIN_AFTER_MS - 1);
    expect(calls).toBe(1);
    await vi.advanceTimersByTimeAsync(1);
    expect(calls).toBe(2);
    window.dispatchEvent(new Event("online"));
    await expect(part).resolves.toBe("there");
  });
});
