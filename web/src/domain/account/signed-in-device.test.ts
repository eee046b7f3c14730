import { describe, expect, it } from "vitest";
import { deviceName } from "./signed-in-device.ts";

describe("signed-in device", () => {
  it("[account] reads the own name of browsers that also claim to be others", () => {
    const chromium = "AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0.0.0";
    expect(
      deviceName(`Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${chromium} Safari/537.36 Edg/141.0.0.0`),
    ).toBe("Edge · Windows");
    expect(deviceName(`Mozilla/5.0 (Linux; Android 15; SM-S938N) ${chromium} Mobile Safari/537.36`)).toBe(
      "Chrome · Android",
    );
    expect(deviceName(`Mozilla/5.0 (Linux; Android 15) SamsungBrowser/28.0 ${chromium} Safari/537.36`)).toBe(
      "Samsung Internet · Android",
    );
    expect(
      deviceName("Mozilla/5.0 (iPhone; CPU iPhone OS 19_0 like Mac OS X) Version/19.0 Safari/604.1"),
    ).toBe("Safari · iPhone");
    expect(deviceName("Mozilla/5.0 (Macintosh; Intel Mac OS X 10.15; rv:145.0) Firefox/145.0")).toBe(
      "Firefox · Mac",
    );
  });

  it("[account] has no name for an unknown user agent", () => {
    expect(deviceName("")).toBe("");
    expect(deviceName("curl/8.5.0")).toBe("");
  });
});
