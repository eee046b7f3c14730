/**
 * The live connection of the dashboard in real Chromium: time to the first snapshot, time to reconnect, and
 * CPU per frame. Baselines are two bare pages at the same relay: one with `socket.io-client` alone, one with
 * the browser's WebSocket alone. `pnpm bench live-client`.
 */
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { setTimeout as wait } from "node:timers/promises";
import { topic } from "@mulkko/shared/mqtt/topics";
import { machine, median, spread } from "@mulkko/testing/bench/figures";
import { launchChromium } from "@mulkko/testing/engines/chromium";
import { signIn } from "@mulkko/testing/stack/account";
import { startBadLine } from "@mulkko/testing/stack/bad-line";
import { deviceKey } from "@mulkko/testing/stack/device-keys";
import { startStack } from "@mulkko/testing/stack/start-stack";
import mqtt from "mqtt";
import type { CDPSession, Page } from "playwright-core";
import { signInOnPage } from "../pages/login.ts";

const SERIAL = 24_110_101;
const LOADS = 12;
const CUTS = 15;
const FRAMES = 120;
/** ms between two readings: more than the relay's flush pause. */
const EVERY_MS = 150;
/** ms for which a page settles before its CPU time is measured. */
const SETTLE_MS = 3_000;
/** Delay before a connection is opened again, ms: in bare pages as it is, in the dashboard its mean. */
const BACKOFF_MS = 10;

/** Open the relay's stream of the farm, again after each break, without any page around it. */
function openBare([transport, token, backoffMs]: readonly ["socket.io" | "websocket", string, number]): void {
  const positions: Record<string, unknown> = {};
  const onMessage = (
    message: { t: string; stream: string; epoch: string; offset: number },
    send: (m: object) => void,
  ) => {
    if (message.t === "welcome") {
      for (const stream of ["devices", "events"]) {
        const position = positions[stream];
        send({ t: "subscribe", stream, ...(position !== undefined && { position }) });
      }
    }
    if (message.t === "snapshot" || message.t === "resumed") {
      positions[message.stream] = { epoch: message.epoch, offset: message.offset };
    }
  };
  const hello = { t: "hello", protocol: 1, token };
  const openWebSocket = () => {
    const socket = new WebSocket(`${location.origin.replace("http", "ws")}/live`);
    const send = (message: object) => socket.send(JSON.stringify(message));
    socket.onopen = () => send(hello);
    socket.onmessage = ({ data }) => onMessage(JSON.parse(data), send);
    socket.onclose = () => setTimeout(openWebSocket, backoffMs);
  };
  if (transport === "websocket") {
    openWebSocket();
    return;
  }
  const socket = Reflect.get(
    globalThis,
    "io",
  )({
    transports: ["websocket"],
    reconnectionDelay: backoffMs,
    randomizationFactor: 0,
  });
  const send = (message: object) => socket.emit(Reflect.get(message, "t"), message);
  socket.on("connect", () => send(hello));
  socket.onAny((_name: string, argument: unknown) => {
    if (typeof argument === "function") argument();
    else onMessage(Object(argument), send);
  });
}

/** Timestamps of a page's WebSocket, s on the browser's clock, and a counter of its frames. */
interface Wire {
  opening: number;
  closed: number;
  /** Time at which the farm was complete on the present connection; NaN before. */
  synced: number;
  changes: number;
}

async function watchWire(cdp: CDPSession): Promise<Wire> {
  const wire: Wire = { opening: Number.NaN, closed: Number.NaN, synced: Number.NaN, changes: 0 };
  await cdp.send("Network.enable");
  cdp.on("Network.webSocketWillSendHandshakeRequest", ({ timestamp }) => {
    wire.opening = timestamp;
    wire.synced = Number.NaN;
  });
  cdp.on("Network.webSocketClosed", ({ timestamp }) => {
    wire.closed = timestamp;
  });
  cdp.on("Network.webSocketFrameReceived", ({ timestamp, response: { payloadData } }) => {
    if (!payloadData.includes('"stream":"devices"')) return;
    if (payloadData.includes('"t":"change"')) wire.changes += 1;
    else wire.synced = timestamp;
  });
  return wire;
}

async function until(what: string, isDone: () => boolean): Promise<void> {
  const deadline = performance.now() + 30_000;
  while (!isDone()) {
    if (performance.now() > deadline) throw new Error(`${what}: nothing for 30 s`);
    await wait(5);
  }
}

async function taskMs(cdp: CDPSession): Promise<number> {
  const { metrics } = await cdp.send("Performance.getMetrics");
  return (metrics.find(({ name }) => name === "TaskDuration")?.value ?? Number.NaN) * 1_000;
}

const library = await readFile(
  createRequire(new URL("../../web/package.json", import.meta.url)).resolve(
    "socket.io-client/dist/socket.io.js",
  ),
  "utf8",
);

console.log(machine());
const [stack, browser] = await Promise.all([
  startStack({ DEMO_INTERVAL_MS: "3600000", LOG_LEVEL: "warn" }),
  launchChromium(),
]);
const line = await startBadLine(stack.url);
const account = await signIn(stack.url, "farmer");
const sensor = (await account.sensors()).find(({ serial }) => Number(serial) === SERIAL);
if (!sensor) throw new Error(`the farmer has no sensor ${SERIAL}`);
const device = await mqtt.connectAsync(`mqtt://127.0.0.1:${stack.mqttPort}`, {
  username: String(SERIAL),
  password: await deviceKey(stack.dataDir, SERIAL),
});

interface Figures {
  readonly snapshot: number[];
  readonly reconnect: number[];
  readonly cpu: number;
}

/** @param load navigate to the page, which then connects by itself */
async function measure(page: Page, load: () => Promise<void>): Promise<Figures> {
  const cdp = await page.context().newCDPSession(page);
  const wire = await watchWire(cdp);
  await cdp.send("Performance.enable");
  const snapshot: number[] = [];
  const reconnect: number[] = [];
  for (let n = 0; n < LOADS; n += 1) {
    wire.synced = Number.NaN;
    await load();
    await until("first snapshot", () => wire.synced > wire.opening);
    snapshot.push((wire.synced - wire.opening) * 1_000);
  }
  await wait(SETTLE_MS);
  for (let n = 0; n < CUTS; n += 1) {
    wire.synced = Number.NaN;
    line.cut();
    line.pass();
    await until("reconnect", () => wire.synced > wire.closed);
    reconnect.push((wire.synced - wire.closed) * 1_000);
    await wait(500);
  }
  await wait(SETTLE_MS);
  const [before, changes] = [await taskMs(cdp), wire.changes];
  for (let n = 0; n < FRAMES; n += 1) {
    const at = new Date(Date.now() + 60_000 + n).toISOString();
    const reading = { at, moisture: 30 + (n % 200) / 10, soilTemperature: 18 };
    await device.publishAsync(topic.up(SERIAL), JSON.stringify(reading), { qos: 1 });
    await wait(EVERY_MS);
  }
  const cpu = ((await taskMs(cdp)) - before) / (wire.changes - changes);
  await cdp.detach();
  return { snapshot, reconnect, cpu };
}

try {
  const figures = new Map<string, Figures>();
  for (const transport of ["websocket", "socket.io"] as const) {
    const context = await browser.newContext({ bypassCSP: true });
    const page = await context.newPage();
    const load = async () => {
      await page.goto(`${line.url}/version.json`);
      await page.addScriptTag({ content: library });
      await page.evaluate(openBare, [transport, account.token, BACKOFF_MS] as const);
    };
    figures.set(`bare ${transport}`, await measure(page, load));
    await context.close();
  }
  const context = await browser.newContext({ locale: "ko-KR", serviceWorkers: "block" });
  // The client's full jitter starts at 1 s.
  await context.addInitScript((share) => {
    const random = Math.random;
    Math.random = () => random() * share;
  }, BACKOFF_MS / 500);
  const page = await context.newPage();
  await signInOnPage(page, line.url, "farmer");
  const load = async () => {
    await page.goto(`${line.url}/dashboard`);
  };
  figures.set("dashboard", await measure(page, load));
  const base = figures.get("bare socket.io");
  for (const [name, { snapshot, reconnect, cpu }] of figures) {
    const over = (value: number, baseline = Number.NaN) => `${(value / baseline).toFixed(2)} ×`;
    console.log(name);
    console.log(
      `  first snapshot  ${spread(snapshot)}  ${over(median(snapshot), base && median(base.snapshot))}`,
    );
    console.log(
      `  reconnect       ${spread(reconnect)}  ${over(median(reconnect), base && median(base.reconnect))}`,
    );
    console.log(`  CPU a frame     ${cpu.toFixed(2)} ms  ${over(cpu, base?.cpu)} bare socket.io`);
  }
  console.log(machine());
} finally {
  await device.endAsync();
  await browser.close();
  await line.close();
  await stack.close();
}
