/**
 * Lighthouse over the most visited start pages, signed in, as a phone with a slow processor on a slow link:
 * the built client, served by the relay. The factor between the phone and this machine follows from the
 * machine's own index, as Lighthouse's documentation of throttling advises; its default assumes a fast
 * desktop. npm downloads Lighthouse on demand; no other part of the project needs it.
 */
import { spawn } from "node:child_process";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { refreshTokenOf, TokenPair } from "@mulkko/shared/rest/account";
import { parse } from "@mulkko/shared/schema/parse";
import { machine, median } from "@mulkko/testing/bench/figures";
import { numberOf } from "@mulkko/testing/bench/number-option";
import { CHROMIUM_ARGS } from "@mulkko/testing/engines/chromium";
import { locateEngines } from "@mulkko/testing/engines/locate";
import { DEMO_PASSWORD, login, read } from "@mulkko/testing/stack/account";
import { startStack } from "@mulkko/testing/stack/start-stack";
import { type BrowserContext, chromium } from "playwright-core";
import { type Static, Type } from "typebox";

const LIGHTHOUSE = "lighthouse@13.5.0";
const ROUNDS = numberOf("BENCH_ROUNDS", 3);
const PAGES = (process.env.BENCH_PAGES ?? "/login,/dashboard,/sensors,/irrigation,/account").split(",");
/** Hundredths to reach, by Lighthouse's category. */
const AIMS = { performance: 85, accessibility: 100, "best-practices": 100 } as const;
const CATEGORIES = ["performance", "accessibility", "best-practices"] as const;
/** Port for Chromium's debugging protocol. */
const DEBUG_PORT = numberOf("BENCH_PORT", 9_223);

const Category = Type.Object({
  score: Type.Union([Type.Number(), Type.Null()]),
  auditRefs: Type.Array(Type.Object({ id: Type.String(), weight: Type.Number() })),
});
const Report = Type.Object({
  environment: Type.Object({ benchmarkIndex: Type.Number() }),
  categories: Type.Object({ performance: Category, accessibility: Category, "best-practices": Category }),
  audits: Type.Record(
    Type.String(),
    Type.Object({
      score: Type.Optional(Type.Union([Type.Number(), Type.Null()])),
      displayValue: Type.Optional(Type.String()),
    }),
  ),
});
type Report = Static<typeof Report>;

/** Audits of a category below the full score, with their weight in it. */
const lost = ({ categories, audits }: Report, name: (typeof CATEGORIES)[number]): string[] =>
  categories[name].auditRefs
    .filter(({ id, weight }) => weight > 0 && (audits[id]?.score ?? 1) < (name === "performance" ? 0.9 : 1))
    .map(({ id }) => `${id} ${audits[id]?.displayValue ?? ""}`.trim());

/** Metrics of a visit's performance, in one line. */
const METRICS = {
  FCP: "first-contentful-paint",
  LCP: "largest-contentful-paint",
  blocked: "total-blocking-time",
  shift: "cumulative-layout-shift",
  index: "speed-index",
} as const;
const metrics = ({ categories, audits }: Report): string =>
  [
    ((categories.performance.score ?? 0) * 100).toFixed(0),
    ...Object.entries(METRICS).map(([name, id]) => `${name} ${audits[id]?.displayValue ?? "?"}`),
  ].join(", ");

/** Return how many times slower than this machine an average phone is (125 to 800 of Lighthouse's index). */
const slowdownOf = (index: number): number => (index >= 1_500 ? 4 : index >= 800 ? 2 : 1);

const audit = async (url: string, file: string, slowdown: number): Promise<Report> => {
  const args = [
    "-y",
    LIGHTHOUSE,
    url,
    `--port=${DEBUG_PORT}`,
    "--quiet",
    // Signed in: the session is in the browser's storage.
    "--disable-storage-reset",
    `--throttling.cpuSlowdownMultiplier=${slowdown}`,
    `--only-categories=${CATEGORIES.join(",")}`,
    "--output=json",
    `--output-path=${file}`,
  ];
  const run = spawn("npx", args, { stdio: ["ignore", "ignore", "inherit"] });
  const code = await new Promise((resolve, reject) => run.once("exit", resolve).once("error", reject));
  if (code !== 0) throw new Error(`Lighthouse ended with ${String(code)} at ${url}`);
  const report = parse(Report, JSON.parse(await readFile(file, "utf8")));
  if (!report.ok) throw new Error(`a report of another shape: ${report.path} ${report.message}`);
  return report.value;
};

const { chromium: executablePath } = locateEngines();
if (executablePath === null) throw new Error("this benchmark needs Chromium");
console.log(machine());
const folder = await mkdtemp(join(tmpdir(), "mulkko-lighthouse-"));
const stack = await startStack();
/**
 * Run one visit of a browser that keeps its earlier visits. Each visit has a process of its own: in a process
 * that has run the client before, the audit's profiler first scans all of the client's code, within the
 * page's own time.
 */
const visit = async <T>(use: (browser: BrowserContext) => Promise<T>): Promise<T> => {
  const browser = await chromium.launchPersistentContext(join(folder, "profile"), {
    executablePath,
    args: [...CHROMIUM_ARGS, `--remote-debugging-port=${DEBUG_PORT}`],
  });
  try {
    return await use(browser);
  } finally {
    await browser.close();
  }
};
/** The audit sometimes misses the start of a visit and reports that; then it is run once more. */
const patientAudit = (url: string, file: string, slowdown: number): Promise<Report> =>
  visit(() => audit(url, file, slowdown)).catch((error: unknown) => {
    console.log(`${url} is visited once more: ${String(error)}`);
    return visit(() => audit(url, file, slowdown));
  });
try {
  const probe = join(folder, "probe.json");
  const indexes: number[] = [];
  for (let round = 0; round < 3; round += 1)
    indexes.push((await patientAudit(`${stack.url}/login`, probe, 1)).environment.benchmarkIndex);
  const slowdown = numberOf("BENCH_SLOWDOWN", slowdownOf(median(indexes)));
  console.log(`index of this machine ${indexes.join(", ")}: a phone ${slowdown} times slower`);
  for (const path of PAGES) {
    const pair = await read(await login(stack.url, "farmer", DEMO_PASSWORD), TokenPair);
    await visit(async (browser) => {
      const page = await browser.newPage();
      await page.goto(`${stack.url}/version.json`);
      await page.evaluate(
        ([token, signedIn]) => {
          localStorage.clear();
          if (signedIn === "yes") localStorage.setItem("refreshToken", String(token));
        },
        [refreshTokenOf(pair), path === "/login" ? "no" : "yes"],
      );
      // A signed-in user has been here before, so the page's stored start data stays.
      if (path === "/login") return;
      await page.goto(stack.url + path);
      await page.waitForLoadState("networkidle");
    });
    const reports: Report[] = [];
    for (let round = 0; round < ROUNDS; round += 1) {
      const report = await patientAudit(stack.url + path, join(folder, "report.json"), slowdown);
      reports.push(report);
      console.log(`${path.padEnd(14)} round ${round + 1}: ${metrics(report)}`);
    }
    for (const name of CATEGORIES) {
      const score = median(reports.map(({ categories }) => (categories[name].score ?? 0) * 100));
      const reached = score >= AIMS[name] ? "" : "  NOT REACHED";
      console.log(
        `${path.padEnd(14)} ${name.padEnd(15)} ${score.toFixed(0).padStart(3)} (aim ${AIMS[name]})${reached}`,
      );
      const [first] = reports;
      if (first) for (const line of lost(first, name)) console.log(`  ${line}`);
    }
  }
} finally {
  await stack.close();
  await rm(folder, { recursive: true, force: true });
}
console.log(machine());
