import { describe, expect, it } from "vitest";
import { wantsInstallHint } from "./install-hint.ts";

const IPHONE =
  "Mozilla/5.0 (iPhone; CPU iPhone OS 18_4 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.4 Mobile/15E148 Safari/604.1";
const MAC =
  "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.4 Safari/605.1.15";
const ANDROID =
  "Mozilla/5.0 (Linux; Android 15; SM-S921N) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0 Mobile Safari/537.36";
const iphone = { userAgent: IPHONE, maxTouchPoints: 5, standalone: false };
const hinted = (browser: typeof iphone | Pick<Navigator, "userAgent" | "maxTouchPoints">) =>
  wantsInstallHint(browser, false);

describe("home screen hint", () => {
  it("[pwa] is for Apple's phones and tablets, which never offer it themselves", () => {
    expect(hinted(iphone)).toBe(true);
    expect(hinted({ ...iphone, userAgent: MAC })).toBe(true);
    expect(hinted({ ...iphone, userAgent: MAC, maxTouchPoints: 0 })).toBe(false);
    expect(hinted({ userAgent: ANDROID, maxTouchPoints: 5 })).toBe(false);
  });
  it("[pwa] is not shown if the page is on the home screen or the hint was shown before", () => {
    expect(hinted({ ...iphone, standalone: true })).toBe(false);
    expect(wantsInstallHint(iphone, true)).toBe(false);
  });
});
