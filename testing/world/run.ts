import { readFileSync, writeFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { Coverage } from "./coverage.ts";
import { loadMutant } from "./mutants/load-mutant.ts";
import { MUTANTS } from "./mutants/mutants.ts";

const USAGE = `pnpm world [--seed S] [--count N | --for 10m] [--minutes M] [--only W-3] [--story FILE]
           [--keep FILE] [--mutant NAME] [--plain] [--relays] [--clocks] [--zones] [--soil]
           [--tell] [--growth] [--coverage]

Runs worlds from a seed on (by default of today), until one breaks a rule; then prints its story, shrunk.
With --plain only worlds with a plain farm API run and are counted; with --relays those with several relays; with --clocks
those in which a server's clock is wrong or set; with --zones those whose modes run in a zone of their own; with --soil those
with a valve in automatic mode. Of a mutant only the number of worlds is of interest. With --growth no machine dies, the
heap is printed after each hour, and W-11 is held against it (--minutes 1440). With --coverage it says at the end which lines
that decide no world has reached, and which happenings never met.`;

const LENGTHS = { s: 1_000, m: 60_000, h: 3_600_000 } as const;

/** Read a length of time such as \`90s\`, \`10m\` or \`4h\`, ms. */
function readLength(text: string): number {
  const [, number, unit] = /^(\d+)([smh])$/.exec(text) ?? [];
  if (unit !== "s" && unit !== "m" && unit !== "h")
    throw new Error(`not a length of time: ${text}\n${USAGE}`);
  return Number(number) * LENGTHS[unit];
}

const { values } = parseArgs({
  options: {
    seed: { type: "string" },
    count: { type: "string" },
    for: { type: "string" },
    minutes: { type: "string" },
    only: { type: "string" },
    story: { type: "string" },
    keep: { type: "string" },
    mutant: { type: "string" },
    plain: { type: "boolean", default: false },
    relays: { type: "boolean", default: false },
    clocks: { type: "boolean", default: false },
    zones: { type: "boolean", default: false },
    soil: { type: "boolean", default: false },
    tell: { type: "boolean", default: false },
    growth: { type: "boolean", default: false },
    coverage: { type: "boolean", default: false },
    help: { type: "boolean", default: false },
  },
});
const say = (text: string): void => void process.stdout.write(`${text}\n`);
if (values.help) {
  say(USAGE);
  process.exit(0);
}
if (values.mutant !== undefined) {
  const mutant = MUTANTS.find(({ name }) => name === values.mutant);
  if (!mutant) throw new Error(`no mutant ${values.mutant}: ${MUTANTS.map(({ name }) => name).join(", ")}`);
  loadMutant(mutant);
}
const coverage = values.coverage ? new Coverage() : null;
await coverage?.begin();
// After the mutant, which changes what is loaded.
const { Hunt } = await import("./hunt.ts");
const { drawPlan } = await import("./plan/draw-plan.ts");
const { Growth, withoutDeaths } = await import("./growth.ts");
const { readStory } = await import("./plan/stored-story.ts");
type Plan = import("./plan/plan.ts").Plan;

const DAY_MS = 86_400_000;
const DEFAULT_MINUTES = 30;
const minutes = Number(values.minutes ?? DEFAULT_MINUTES);
const first = Number(values.seed ?? Math.floor(Date.now() / DAY_MS) * 1_000);
const begun = performance.now();
const endsAt = values.for === undefined ? Number.POSITIVE_INFINITY : begun + readLength(values.for);
const count = values.count === undefined ? (values.for === undefined ? 20 : 1e9) : Number(values.count);
const hunt = await Hunt.begin();

async function tell(drawn: Plan): Promise<boolean> {
  const growth = values.growth ? new Growth(say) : null;
  const plan = growth ? withoutDeaths(drawn) : drawn;
  coverage?.note(plan);
  const { violation, story } = await hunt.run(plan, growth?.watch);
  if (growth) {
    say(`seed ${plan.seed}: ${growth.perHour?.toFixed(2) ?? "too short to say how many"} MB an hour`);
    if (growth.violation !== null) {
      say(`seed ${plan.seed} breaks W-11: ${growth.violation}`);
      return false;
    }
  }
  const isWanted = violation !== null && (values.only === undefined || values.only === violation.invariant);
  if (values.tell && !isWanted) say(story.join("\n"));
  if (!violation || !isWanted) return true;
  if (values.mutant !== undefined && values.keep === undefined) {
    say(`${values.mutant}: ${violation.invariant}: ${violation.text}`);
    return false;
  }
  say(`seed ${plan.seed} breaks ${violation.invariant}; shrinking …`);
  const least = await hunt.shrink(plan, violation.invariant, violation.afterMs);
  const last = await hunt.run(least);
  say(last.story.join("\n"));
  for (const line of last.log.slice(-20)) say(line.trimEnd());
  if (values.keep !== undefined) {
    const stored = { found: last.violation?.text ?? violation.text, broke: violation.invariant, plan: least };
    writeFileSync(values.keep, `${JSON.stringify(stored, null, 2)}\n`);
  }
  return false;
}

let ran = 0;
let isWell = true;
let under: number | null = null;
// A world that waits for a thing that never comes leaves this process nothing to do.
process.on("exit", () => {
  if (under !== null) say(`seed ${under} waits for what never comes`);
});
if (values.story !== undefined) {
  const { plan } = readStory(readFileSync(values.story, "utf8"));
  under = plan.seed;
  isWell = await tell(plan);
} else {
  for (let seed = first; isWell && ran < count && performance.now() < endsAt; seed += 1) {
    const plan = drawPlan(seed, minutes);
    const isOther =
      (values.plain && !plan.plain) ||
      (values.relays && !plan.relays) ||
      (values.clocks && !plan.serverClock) ||
      (values.zones && !plan.zone) ||
      (values.soil && !plan.automatic);
    if (isOther) continue;
    under = seed;
    isWell = await tell(plan);
    ran += 1;
  }
  const seconds = (performance.now() - begun) / 1_000;
  say(
    `${ran} worlds of ${minutes} minutes from seed ${first} in ${Math.round(seconds)} s (${(ran / seconds).toFixed(2)}/s)`,
  );
}
under = null;
for (const line of (await coverage?.report()) ?? []) say(line);
// Processes of the worlds are dropped, not closed.
process.exit(isWell ? 0 : 1);
