import { type Browser, chromium } from "playwright-core";
import { locateEngines } from "./locate.ts";

/**
 * WebGL in software, no background requests, and root may run it. Pages themselves are composed without
 * WebGL: in software that costs several times as much.
 */
export const CHROMIUM_ARGS = [
  "--no-sandbox",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
  "--enable-unsafe-swiftshader",
  "--disable-gpu-compositing",
];

/**
 * Start a real Chromium, without a window.
 *
 * @param further command-line arguments
 * @throws Error that says what to install if the machine has none
 */
export const launchChromium = (further: readonly string[] = []): Promise<Browser> => {
  const executablePath = locateEngines().chromium;
  if (executablePath === null) {
    throw new Error(
      "This test needs Chromium; type: sudo apt-get install -y --no-install-recommends chromium",
    );
  }
  // Without a language, a file with a non-ASCII name is called "download".
  const args = [...CHROMIUM_ARGS, ...further];
  return chromium.launch({ executablePath, args, env: { ...process.env, LC_ALL: "C.UTF-8" } });
};
