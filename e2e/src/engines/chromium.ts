import { type Browser, chromium } from "playwright-core";
import { locateEngines } from "./locate.ts";

/** WebGL in software, nothing fetched behind the test's back, and root may run it. */
const ARGS = [
  "--no-sandbox",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
  "--enable-unsafe-swiftshader",
  "--use-gl=angle",
  "--use-angle=swiftshader",
];

/**
 * A real Chromium, without a window.
 *
 * @throws Error that says what to install where the machine has none
 */
export const launchChromium = (): Promise<Browser> => {
  const executablePath = locateEngines().chromium;
  if (executablePath === null) {
    throw new Error(
      "This test needs Chromium; type: sudo apt-get install -y --no-install-recommends chromium",
    );
  }
  return chromium.launch({ executablePath, args: ARGS });
};
