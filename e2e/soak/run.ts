// Run the wall over hundreds of turns and every kind of fault: node e2e/soak/run.ts [turns] [ms a turn]
import { cp, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { relayPath } from "@mulkko/shared/rest/routes";
import { launchChromium } from "@mulkko/testing/engines/chromium";
import { startTcpProxy } from "@mulkko/testing/engines/tcp-proxy";
import { signIn } from "@mulkko/testing/stack/account";
import { flushAll } from "@mulkko/testing/stack/lease";
import { startCluster } from "@mulkko/testing/stack/start-cluster";
import { pairWall } from "../pages/wall.ts";
import { buildClient } from "./build-client.ts";
import { type Flatness, flatness, type Measured } from "./flatness.ts";
import { heapOf, heapTeller } from "./heap-of.ts";
import { type PlotLine, type PlotMark, plot } from "./plot.ts";
import { reportFast } from "./readings.ts";
import { startTurning, type Weight, weigh } from "./weigh.ts";

const ROOT = resolve(import.meta.dirname, "../..");
const REPORT = join(ROOT, "docs/internal/soak");
const [turns = 500, turnMs = 1_000] = process.argv.slice(2).map(Number);
const READINGS_EVERY_MS = 250;
const AWAY_MS = 6_000;
/** Number of measurements over the run; each stops the page for a garbage collection. */
const SAMPLES = 50;
/** Time without a turn after which the wall counts as stopped. */
const STUCK_MS = 180_000;
const MB = 1_000_000;

/**
 * A measurement of everything. The relay's are bytes: its heap without garbage, and its memory by the
 * operating system.
 */
interface Sample extends Weight {
  readonly turn: number;
  /** An administrator's screen, which shows all devices. */
  readonly fleet: Weight;
  readonly relayHeap: number;
  readonly relay: number;
}

async function residentBytes(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, "utf8");
  return Number(/VmRSS:\s+(\d+) kB/.exec(status)?.[1] ?? Number.NaN) * 1_024;
}

/** The build of the screen: its module's file is named after its content. */
const moduleOf = (page: string): string => /assets\/wall-[^"]+\.js/.exec(page)?.[0] ?? "none";

const served = await mkdtemp(join(tmpdir(), "mulkko-soak-web-"));
const newer = await mkdtemp(join(tmpdir(), "mulkko-soak-newer-"));
const heapFile = `${served}.heap`;
await cp(join(ROOT, "web/dist"), served, { recursive: true });
await buildClient(newer, `soak-${turns}`);
const newModule = moduleOf(await readFile(join(newer, "wall.html"), "utf8"));
const [cluster, browser] = await Promise.all([
  startCluster(1, { WEB_DIST: served, ...heapTeller(heapFile) }),
  launchChromium(),
]);
/** Cleanups for the end of the run, the newest first. */
const closers: (() => Promise<void>)[] = [
  () => rm(served, { recursive: true, force: true }),
  () => rm(heapFile, { force: true }),
  () => rm(newer, { recursive: true, force: true }),
  () => cluster.close(),
  () => browser.close(),
];
const samples: Sample[] = [];
const marks: PlotMark[] = [];
let turned = 0;
let loads = 0;
try {
  const [node] = cluster.nodes;
  if (!node) throw new Error("the cluster has no relay");
  const proxy = await startTcpProxy(node.url);
  closers.push(() => proxy.close());
  const url = `http://127.0.0.1:${proxy.port}`;
  closers.push(await reportFast(cluster, READINGS_EVERY_MS));
  const newScreen = async () => {
    const screen = await browser.newContext({
      viewport: { width: 1920, height: 1080 },
      locale: "ko-KR",
      serviceWorkers: "block",
    });
    await startTurning(screen, turnMs);
    return screen;
  };
  const context = await newScreen();
  await context.exposeBinding("soakTurned", () => {
    turned += 1;
  });
  await context.addInitScript(() => {
    let shown: string | null | undefined;
    new MutationObserver(() => {
      const page = document.querySelector("[data-page]")?.getAttribute("data-page");
      if (page === shown || page === undefined) return;
      shown = page;
      Reflect.get(window, "soakTurned")();
    }).observe(document, { subtree: true, childList: true, attributeFilter: ["data-page"] });
  });
  const page = await context.newPage();
  page.on("load", () => {
    loads += 1;
  });
  const farmer = await signIn(node.url, "farmer");
  const display = await pairWall(page, url, farmer, {
    pages: ["overview", "valves", "trends", "alarms", "map"],
  });

  const fleetPage = await (await newScreen()).newPage();
  await pairWall(fleetPage, url, await signIn(node.url, "admin"), { pages: ["fleet", "alarms"] });
  await fleetPage.getByTestId("fleet-device").first().waitFor();

  const events: readonly { readonly at: number; readonly name: string; run(): Promise<void> }[] = [
    {
      at: 0.08,
      name: "relay restarted",
      async run() {
        await node.service.stop();
        await sleep(AWAY_MS);
        await node.service.start();
      },
    },
    {
      at: 0.18,
      name: "network cut",
      async run() {
        proxy.cut();
        await sleep(AWAY_MS);
        proxy.pass();
      },
    },
    { at: 0.28, name: "Redis flushed", run: () => flushAll(cluster) },
    {
      at: 0.38,
      name: "new build",
      async run() {
        // Like a release: the old build's files that were not requested yet are gone.
        for (const file of await readdir(served)) await rm(join(served, file), { recursive: true });
        await cp(newer, served, { recursive: true });
        await node.service.stop();
        await node.service.start();
      },
    },
    {
      at: 0.6,
      name: "network cut",
      async run() {
        proxy.cut();
        await sleep(AWAY_MS);
        proxy.pass();
      },
    },
    { at: 0.7, name: "Redis flushed", run: () => flushAll(cluster) },
  ];
  const due = [...events];
  const every = Math.max(1, Math.floor(turns / SAMPLES));
  let next = every;
  let movedAt = Date.now();
  for (let known = turned; turned < turns; ) {
    await sleep(50);
    if (turned !== known) [known, movedAt] = [turned, Date.now()];
    if (Date.now() - movedAt > STUCK_MS) throw new Error(`the wall has stood still since turn ${turned}`);
    if (due[0] && turned >= due[0].at * turns) {
      const event = due.shift();
      marks.push({ turn: turned, name: event?.name ?? "" });
      console.info(`turn ${turned}: ${event?.name}`);
      await event?.run();
      continue;
    }
    if (turned < next) continue;
    next = turned + every;
    const pid = node.service.pid();
    if (pid === undefined) throw new Error("the relay has ended");
    const sample = {
      turn: turned,
      ...(await weigh(page, "alarms")),
      fleet: await weigh(fleetPage, "alarms"),
      relayHeap: await heapOf(pid, heapFile),
      relay: await residentBytes(pid),
    };
    samples.push(sample);
    console.info(JSON.stringify(sample));
  }
  await page
    .locator("[data-page=overview] [data-testid=reading-tile][data-quality=fresh]")
    .first()
    .waitFor({ timeout: STUCK_MS });
  await fleetPage.getByTestId("fleet-device").first().waitFor({ timeout: STUCK_MS });
  for (const each of [page, fleetPage]) {
    const shown = moduleOf(await each.content());
    if (shown !== newModule) throw new Error(`a wall shows ${shown}, not the new build's ${newModule}`);
  }
  const revoked = await fetch(node.url + relayPath.display(display.id), {
    method: "DELETE",
    headers: { authorization: `Bearer ${(await signIn(node.url, "farmer")).token}` },
  });
  if (revoked.status !== 204) throw new Error(`revoking answered ${revoked.status}`);
} finally {
  for (const close of closers.toReversed()) await close();
}

const measured = (name: string, of: (sample: Sample) => number, share: number, slack: number): Measured => ({
  name,
  share,
  slack,
  values: samples.map(of),
});
const judged: Flatness[] = [
  measured("heap", ({ heap }) => heap, 0.05, 0.5 * MB),
  measured("nodes", ({ nodes }) => nodes, 0.05, 20),
  measured("listeners", ({ listeners }) => listeners, 0.05, 5),
  measured("canvases", ({ canvases }) => canvases, 0, 0),
  measured("style rules", ({ rules }) => rules, 0, 0),
  measured("fleet screen's heap", ({ fleet }) => fleet.heap, 0.05, 0.5 * MB),
  measured("fleet screen's nodes", ({ fleet }) => fleet.nodes, 0.05, 20),
  measured("fleet screen's listeners", ({ fleet }) => fleet.listeners, 0.05, 5),
  measured("relay's heap", ({ relayHeap }) => relayHeap, 0.05, 2 * MB),
  // The operating system gets memory back late, or never: it jumps by whole pages of the heap.
  measured("relay, resident", ({ relay }) => relay, 0.1, 16 * MB),
].map(flatness);

const inMb = (value: number): string => `${(value / MB).toFixed(1)} MB`;
const line = (
  name: string,
  color: string,
  of: (sample: Sample) => number,
  say: PlotLine["say"],
): PlotLine => ({
  name,
  color,
  say,
  points: samples.map((sample) => [sample.turn, of(sample)]),
});
const picture = plot(
  `The wall over ${turns} turns`,
  [
    line("JavaScript heap", "#0f7672", ({ heap }) => heap, inMb),
    line("nodes", "#4a731d", ({ nodes }) => nodes, String),
    line("listeners", "#80592f", ({ listeners }) => listeners, String),
    line("canvases", "#924880", ({ canvases }) => canvases, String),
    line("style rules", "#55636b", ({ rules }) => rules, String),
    line("fleet screen's heap", "#9a4a00", ({ fleet }) => fleet.heap, inMb),
    line("relay's heap", "#8a5a83", ({ relayHeap }) => relayHeap, inMb),
    line("relay, resident", "#2b66ac", ({ relay }) => relay, inMb),
  ],
  marks,
);
const sayOf = (name: string): PlotLine["say"] => (/heap$|resident$/.test(name) ? inMb : String);
const rows = judged.map(
  ({ name, before, after, flat }) =>
    `| ${name} | ${sayOf(name)(before)} | ${sayOf(name)(after)} | ${flat ? "flat" : "GROWS"} |`,
);
await mkdir(REPORT, { recursive: true });
await writeFile(join(REPORT, "wall.svg"), picture);
await writeFile(
  join(REPORT, "README.md"),
  `# The wall, unattended

\`pnpm soak\` wrote this: ${turns} turns of ${turnMs} ms over all of a farmer's pages in Chromium, an administrator's screen with all devices beside it, readings every ${READINGS_EVERY_MS} ms, and in between ${marks.map(({ name, turn }) => `${name} (turn ${turn})`).join(", ")}. The page was loaded ${loads} times: once by hand, the rest for the new build.

![What the page and the relay hold, over the turns](wall.svg)

Medians of the third and the last quarter of the run, after a forced collection of garbage, always on the page of the alarms:

| | third quarter | last quarter | |
| --- | --- | --- | --- |
${rows.join("\n")}
`,
);
for (const row of rows) console.info(row);
if (judged.some(({ flat }) => !flat)) process.exitCode = 1;
