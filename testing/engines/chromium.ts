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

/** Waiting ends as soon as a page is ready; a busy machine may draw a map for half a minute. */
const PATIENCE_MS = 60_000;

/**
 * Start a real Chromium, without a window.
 *
 * @param further command-line arguments
 * @throws Error that says what to install if the machine has none
 */
export async function launchChromium(further: readonly string[] = []): Promise<Browser> {
  const executablePath = locateEngines().chromium;
  if (executablePath === null) {
    throw new Error(
      "This test needs Chromium; type: sudo apt-get install -y --no-install-recommends chromium",
    );
  }
  // Without a language, a file with a non-ASCII name is called "download".
  const args = [...CHROMIUM_ARGS, ...further];
  const browser = await chromium.launch({
    executablePath,
    args,
    env: { ...process.env, LC_ALL: "C.UTF-8" },
  });
  browser.on("context", (context) => context.setDefaultTimeout(PATIENCE_MS));
  return browser;
}
