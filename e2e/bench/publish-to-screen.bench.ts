/**
 * From a device's MQTT publication to the pixels: real farm API, real relay, real Chromium with the sensors'
 * list open. The baseline is the `change` frame that a program receives over the WebSocket for the same
 * publication.
 */
import { setTimeout as wait } from "node:timers/promises";
import { topic } from "@mulkko/shared/mqtt/topics";
import { sensorKey } from "@mulkko/shared/rules/device-keys";
import { machine, median, spread } from "@mulkko/testing/bench/figures";
import { launchChromium } from "@mulkko/testing/engines/chromium";
import { signIn } from "@mulkko/testing/stack/account";
import { deviceKey } from "@mulkko/testing/stack/device-keys";
import { openPlainWebSocket } from "@mulkko/testing/stack/plain-websocket";
import { type Stack, startStack } from "@mulkko/testing/stack/start-stack";
import { newVisitor } from "@mulkko/testing/stack/visitor";
import mqtt from "mqtt";
import type { Page } from "playwright-core";
import { signInOnPage } from "../pages/login.ts";

const SERIAL = 24_110_101;
const PUBLICATIONS = 60;
const WARM_UP = 10;
/** ms between two publications. */
const EVERY_MS = 700;
/** ms within which the last one must be on the screen. */
const SHOWN_WITHIN_MS = 10_000;
/** The demo's own pace, and a pace at which it is silent meanwhile. */
const PARTS = [
  { label: "quiet account", demoMs: 3_600_000 },
  { label: "beside the demo", demoMs: 10_000 },
] as const;

/** ms since 1970 with fractions, which the browser's clock shares. */
const nowMs = (): number => performance.timeOrigin + performance.now();
/** Every publication has a unique number, with two decimals of which the screen shows one. */
const numberOf = (n: number): string => (40 + n / 10).toFixed(1);

/** Record when each number is first painted; reported by the page itself. */
async function watchNumbers(page: Page): Promise<() => Promise<Record<string, number>>> {
  await page.evaluate(() => {
    const seen: Record<string, number> = {};
    const note = (): void => {
      const numbers = document.body.innerText.match(/\d+\.\d/g) ?? [];
      // The frame after the next one is visible.
      requestAnimationFrame(() => {
        const now = performance.timeOrigin + performance.now();
        for (const number of numbers) seen[number] ??= now;
      });
    };
    new MutationObserver(note).observe(document.body, {
      subtree: true,
      childList: true,
      characterData: true,
    });
    Reflect.set(globalThis, "seenNumbers", seen);
  });
  return () => page.evaluate(() => Reflect.get(globalThis, "seenNumbers"));
}

async function measure(stack: Stack, page: Page): Promise<{ wire: number[]; screen: number[] }> {
  const account = await signIn(stack.url, "farmer");
  const sensor = (await account.sensors()).find(({ serial }) => Number(serial) === SERIAL);
  if (!sensor) throw new Error(`the farmer has no sensor ${SERIAL}`);
  await page.goto(`${stack.url}/sensors/type?id=${sensor.id}`);
  await page.getByText("실시간").first().waitFor();
  const numbersSeen = await watchNumbers(page);
  const webSocket = await openPlainWebSocket(stack.url, account.token);
  webSocket.send({ t: "subscribe", stream: "devices" });
  const device = await mqtt.connectAsync(`mqtt://127.0.0.1:${stack.mqttPort}`, {
    username: String(SERIAL),
    password: await deviceKey(stack.dataDir, SERIAL),
  });
  const sent = new Map<string, number>();
  const wired = new Map<string, number>();
  for (let n = 0; n < WARM_UP + PUBLICATIONS; n += 1) {
    // Newer than the demo's own messages, which would otherwise replace it.
    const at = new Date(Date.now() + 60_000 + n).toISOString();
    const moisture = Number(numberOf(n));
    const frame = webSocket.waitFor((message) => {
      if (message.t !== "change") return false;
      const value = message.set?.[sensorKey(sensor.id)] ?? message.patch?.[sensorKey(sensor.id)];
      return value?.at === at;
    });
    sent.set(numberOf(n), nowMs());
    await device.publishAsync(topic.up(SERIAL), JSON.stringify({ at, moisture, soilTemperature: 18 }), {
      qos: 1,
    });
    await frame;
    wired.set(numberOf(n), nowMs());
    await wait(EVERY_MS);
  }
  const last = numberOf(WARM_UP + PUBLICATIONS - 1);
  const deadline = performance.now() + SHOWN_WITHIN_MS;
  let seen = await numbersSeen();
  while (seen[last] === undefined && performance.now() < deadline) {
    await wait(100);
    seen = await numbersSeen();
  }
  await device.endAsync();
  webSocket.close();
  const measured = Array.from({ length: PUBLICATIONS }, (_, n) => numberOf(WARM_UP + n));
  const lateBy = (value: string, at: number | undefined): number => {
    if (at === undefined) throw new Error(`${value} was never on the screen`);
    return at - (sent.get(value) ?? Number.NaN);
  };
  return {
    wire: measured.map((value) => lateBy(value, wired.get(value))),
    screen: measured.map((value) => lateBy(value, seen[value])),
  };
}

console.log(machine());
const browser = await launchChromium();
try {
  for (const { label, demoMs } of PARTS) {
    const stack = await startStack({ DEMO_INTERVAL_MS: String(demoMs), LOG_LEVEL: "warn" });
    const visitor = await newVisitor(browser, { viewport: "desktop", locale: "ko-KR", colorScheme: "light" });
    try {
      const page = await visitor.newPage();
      await signInOnPage(page, stack.url, "farmer");
      const { wire, screen } = await measure(stack, page);
      const ratio = (median(screen) / median(wire)).toFixed(1);
      console.log(`${label.padEnd(16)} change frame   ${spread(wire)}`);
      console.log(`${label.padEnd(16)} on the screen  ${spread(screen)}  ${ratio} × change frame`);
    } finally {
      await visitor.close();
      await stack.close();
    }
  }
  console.log(machine());
} finally {
  await browser.close();
}
