import { parse } from "@mulkko/shared/schema/parse";
import { closeIdOf } from "../../src/valves/close-all.ts";
import { INTENTS, Intent, VALVE_LIMITS, watchesForLate } from "../../src/valves/intent.ts";
import { type Happening, QUEUE_MS, type Scenario } from "./valve-scenario.ts";
import { CHANNEL, createValveWorld, type ValveWorld } from "./valve-world.ts";

/** RUN-6: ms that a valve of ours may be open beyond its end, with everything available. */
const BEYOND_MS = 60_000;
/** ms within which a channel notices a set clock by its own timer. */
const NOTICED_MS = 31_000;
/** ms during which a sent opening may still reach its valve (CMD-4). */
const OPEN_ALIVE_MS = 30_000;
/** ms between two checks while time passes. */
const STEP_MS = 5_000;
/** Longest run of a scenario, its close with the longest gap, and the time for confirmation. */
const REST_MS = 5 * 60_000;
/**
 * NODE-5: ms after the last renewal at which a lease ends; a returning holder learns of it within this time.
 */
const LEASE_MS = 6_000;
const LEARNED_MS = 500;

interface Watch {
  /** Monotonic ms. */
  readonly commands: { id: string; target: 1 | 2; at: number; until: number }[];
  /** Ids of withdrawn openings. */
  readonly withdrawn: Set<string>;
  healthySince: number | null;
  /** True if the newest close was lost with the process, and its caller knew that it might be (CMD-8). */
  requestLost: boolean;
  /** Closes that the relay has called its own: no event or answer said that they are not stored. */
  readonly kept: Set<string>;
  jumpedAt: number;
  /** When the store lost its content; openings in flight at that time are unknown. */
  storeLostAt: number;
  lastReported: 0 | 1 | 2;
  /** Commands whose caller has no answer yet. */
  readonly unanswered: Set<string>;
  /** Broken rules, collected where the service would swallow an exception. */
  readonly broken: string[];
}

/** Play a scenario, and throw where it breaks a rule of docs/dev/valve-rules.md. */
export async function live(scenario: Scenario): Promise<void> {
  const world = await createValveWorld(scenario.kind);
  const watch: Watch = {
    commands: [],
    withdrawn: new Set(),
    healthySince: null,
    requestLost: false,
    kept: new Set(),
    jumpedAt: Number.NEGATIVE_INFINITY,
    storeLostAt: Number.NEGATIVE_INFINITY,
    lastReported: 0,
    unanswered: new Set(),
    broken: [],
  };
  const mono = () => world.clock.monotonic();
  watchSends(world, watch);
  watchScreens(world, watch);
  for (const happening of scenario.happenings) {
    await happen(world, watch, scenario, happening);
    look(world, watch);
  }
  await wake(world, watch);
  if (world.store.failing) world.store.failing = false;
  const calm = { mood: "ok", linked: true, dropping: false, repeating: false, obeyMs: 200, queueMs: 0 };
  Object.assign(world.farm, calm);
  const rested = mono() + REST_MS + (world.farm.underWay > 0 ? QUEUE_MS : 0);
  while (mono() < rested) await pass(world, watch, STEP_MS);
  if (watch.unanswered.size > 0) throw new Error("[CMD-7] a caller never hears");
  const errors = world.log.errors.filter((error) => !/store|log cannot|kept/.test(error));
  if (errors.length > 0) throw new Error(errors.join("; "));
  const intent = world.store.valueOf(INTENTS, CHANNEL);
  if (intent !== undefined && !isWatching(intent))
    throw new Error(`[RUN-6] an intent does not end: ${JSON.stringify(intent)}`);
  if (world.channel().command !== null) throw new Error("[RUN-6] a command stays on the panel");
  world.kill();
}

/** CMD-14: an opening that no device ignores for its age may be watched long after its close is done. */
function isWatching(stored: unknown): boolean {
  const intent = parse(Intent, stored);
  return intent.ok && watchesForLate(intent.value);
}

/** Check that no opening is sent late, after a later close by a person, or after its withdrawal. */
function watchSends(world: ValveWorld, watch: Watch): void {
  world.farm.onSend = (command) => {
    if (command.payload !== 1) return;
    const index = watch.commands.findLastIndex(({ id }) => id === command.commandId);
    const newer = watch.commands.slice(index + 1).some(({ target }) => target === 2);
    const now = world.clock.monotonic();
    const age = now - (watch.commands[index]?.at ?? 0);
    // Until a clock jump is noticed, the times of the relay and of the command belong to different clocks.
    if (age > VALVE_LIMITS.openWindowMs && now - watch.jumpedAt > NOTICED_MS) {
      watch.broken.push(`[CMD-11] an opening was sent ${age} ms after its command`);
    }
    if (watch.withdrawn.has(command.commandId)) {
      watch.broken.push("[CMD-12] an opening was sent that had been taken back");
    }
    if (index < 0 || newer) watch.broken.push("[RUN-6] an opening was sent after a newer close");
    const stored = JSON.stringify(world.store.valueOf(INTENTS, CHANNEL) ?? null);
    if (!stored.includes(command.commandId))
      throw new Error("[RUN-3] an opening was sent before it was stored");
  };
}

/**
 * Check that screens show only reported states: no end of a run on a closed valve, no unfounded confirmation.
 */
function watchScreens(world: ValveWorld, watch: Watch): void {
  world.watchWriter((writer) => {
    watch.lastReported = 0;
    writer.onPatch = (_key, fields) => {
      const { onoff, runUntil } = fields;
      if (onoff === 0 || onoff === 1 || onoff === 2) watch.lastReported = onoff;
      const shown = "runUntil" in fields && runUntil !== null;
      if (shown && watch.lastReported !== 1) watch.broken.push("[RUN-6] an end is shown of a valve not open");
    };
    const emit = writer.event;
    writer.event = (event) => {
      emit(event);
      if (event.kind !== "command") return;
      if (event.target === 2 && event.kept !== false) watch.kept.add(event.id);
      if (event.state !== "confirmed") return;
      if (event.target !== watch.lastReported) {
        watch.broken.push(`[RUN-6] ${event.target} is confirmed while ${watch.lastReported} is reported`);
      }
    };
  });
}

async function happen(
  world: ValveWorld,
  watch: Watch,
  scenario: Scenario,
  happening: Happening,
): Promise<void> {
  const { farm, store, clock } = world;
  const mono = clock.monotonic();
  switch (happening.do) {
    case "open":
    case "late-open":
    case "close":
    case "close-all":
    case "command-again":
      return command(world, watch, happening);
    case "withdraw":
      return withdraw(world, watch);
    case "pass":
      return pass(world, watch, happening.ms);
    case "mood":
      farm.mood = happening.mood;
      return;
    case "link":
      farm.linked = happening.up;
      return;
    case "drop":
      farm.dropping = happening.on;
      return;
    case "repeat":
      farm.repeating = happening.on;
      return;
    case "obey":
      farm.obeyMs = happening.ms;
      return;
    case "queue":
      farm.queueMs = happening.ms;
      return;
    case "turn":
      farm.turn(happening.open, happening.by);
      return;
    case "restart": {
      // A jump that no process noticed cannot be known after a restart: only store time is left then.
      if (mono - watch.jumpedAt < NOTICED_MS) return;
      lose(watch);
      world.kill();
      watch.unanswered.clear();
      watch.healthySince = null;
      await pass(world, watch, happening.downMs);
      return world.start();
    }
    case "takeover":
      if (mono - watch.jumpedAt < NOTICED_MS) return;
      await wake(world, watch);
      lose(watch);
      if (happening.how === "dies") world.kill();
      else world.freeze();
      watch.unanswered.clear();
      watch.healthySince = null;
      await pass(world, watch, LEASE_MS);
      return world.start();
    case "wake":
      return wake(world, watch);
    case "store":
      store.failing = happening.failing;
      return;
    case "lose-store":
      // A run that only the relay can end is lost when the relay's memory and its store are lost together.
      if (!scenario.kind.timesRuns) return;
      world.kill();
      watch.unanswered.clear();
      store.wipe();
      watch.storeLostAt = mono;
      watch.healthySince = null;
      watch.requestLost = true;
      return world.start();
    case "jump":
      if (mono - watch.jumpedAt < NOTICED_MS) return;
      watch.jumpedAt = mono;
      clock.jump(happening.ms);
      return;
  }
}

/** Note that the process ends: its caller still holds what the relay has not called its own. */
function lose(watch: Watch): void {
  const last = watch.commands.at(-1);
  if (last?.target === 2 && !watch.kept.has(last.id)) watch.requestLost = true;
}

/** Resume a stopped owner while another node owns its account. */
async function wake(world: ValveWorld, watch: Watch): Promise<void> {
  if (!world.hasLame) return;
  world.wake();
  await pass(world, watch, LEARNED_MS);
  world.drop();
}

async function command(
  world: ValveWorld,
  watch: Watch,
  happening: Extract<Happening, { do: "open" | "late-open" | "close" | "close-all" | "command-again" }>,
): Promise<void> {
  const lateMs = happening.do === "late-open" ? happening.lateMs : 0;
  const at = world.clock.monotonic() - lateMs;
  const last = watch.commands.at(-1);
  const again = happening.do === "command-again";
  if (again && last === undefined) return;
  const opens = happening.do === "open" || happening.do === "late-open";
  const target = again ? (last?.target ?? 2) : opens ? 1 : 2;
  const seconds = opens ? happening.seconds : again ? ((last?.until ?? at) - (last?.at ?? at)) / 1_000 : 0;
  const name = `p${watch.commands.length}`;
  const all = happening.do === "close-all";
  const id = again && last ? last.id : all ? closeIdOf(name, CHANNEL) : name;
  if (!again) watch.commands.push({ id, target, at, until: at + seconds * 1_000 });
  if (!again && target === 2 && at > watch.storeLostAt + OPEN_ALIVE_MS) watch.requestLost = false;
  const outcome = all
    ? world.closeAll(name)
    : world.command(target, {
        commandId: id,
        ...(target === 1 && { maxRunSeconds: seconds }),
        // A repeated command keeps the time of the first.
        ...(lateMs > 0 || again
          ? { pressedAt: world.clock.now() - (world.clock.monotonic() - (again && last ? last.at : at)) }
          : {}),
      });
  watch.unanswered.add(id);
  void outcome.then((answer) => {
    watch.unanswered.delete(id);
    if (target === 2 && answer.ok && isKept(answer)) watch.kept.add(id);
  });
  await pass(world, watch, 1);
}

const isKept = (answer: { kept?: false } | { record: { kept?: false } }): boolean =>
  ("record" in answer ? answer.record : answer).kept !== false;

/** Withdraw the last opening, whether it arrived or not. */
async function withdraw(world: ValveWorld, watch: Watch): Promise<void> {
  const last = watch.commands.findLast(({ target }) => target === 1);
  const id = last?.id ?? "p-never";
  watch.withdrawn.add(id);
  watch.unanswered.add(`withdraw ${id}`);
  const seconds = last ? (last.until - last.at) / 1_000 : 60;
  void world.withdraw(id, { maxRunSeconds: seconds }).then(() => watch.unanswered.delete(`withdraw ${id}`));
  await pass(world, watch, 1);
}

async function pass(world: ValveWorld, watch: Watch, ms: number): Promise<void> {
  let left = ms;
  while (left > 0) {
    const step = Math.min(STEP_MS, left);
    await world.pass(step);
    left -= step;
    look(world, watch);
  }
}

/**
 * Check, with everything available, that a valve of ours is closed 60 s after its end and 60 s after a close.
 */
function look(world: ValveWorld, watch: Watch): void {
  if (world.staleSends.length > 0)
    throw new Error("[NODE-5] an owner that is one no more has sent a command");
  if (watch.broken.length > 0) throw new Error(watch.broken.join("; "));
  const { farm, clock } = world;
  const now = clock.monotonic();
  const healthy =
    world.running &&
    farm.linked &&
    !farm.dropping &&
    farm.mood === "ok" &&
    farm.underWay === 0 &&
    now - watch.jumpedAt > NOTICED_MS;
  watch.healthySince = healthy ? (watch.healthySince ?? now) : null;
  const { opener } = farm;
  if (!farm.open || opener?.kind !== "command" || watch.healthySince === null) return;
  if (farm.looksLikeOurs) return;
  if (farm.looksLikeMode && farm.sent.at(-1)?.payload === 2) return;
  // A due close is sent again at most 60 s after everything is available.
  if (now - watch.healthySince < BEYOND_MS + 15_000) return;
  // A late opening is closed within the same time.
  if (now < farm.openedAt + BEYOND_MS + 15_000) return;
  const end = Math.max(...watch.commands.map(({ until }) => until));
  if (now > end + BEYOND_MS) throw new Error("[RUN-6] a valve is open beyond its end");
  const last = watch.commands.at(-1);
  if (last?.target === 2 && !watch.requestLost && now > last.at + BEYOND_MS + 15_000) {
    throw new Error("[RUN-6] a valve is open although Off was pressed last");
  }
}
