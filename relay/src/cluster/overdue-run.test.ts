import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Extension } from "@mulkko/shared/rest/capabilities";
import { channelState, controllerCommand, controllerList } from "@mulkko/shared/rest/operations/controllers";
import { pathTo } from "@mulkko/shared/rest/operations/operation";
import { buildController } from "@mulkko/shared/testing/builders";
import { createFakeClock } from "@mulkko/shared/testing/fake-clock";
import fc from "fast-check";
import { afterEach, beforeEach, expect, test } from "vitest";
import { fuzzing } from "../../testing/fuzz.ts";
import { createOwnersHarness, type OwnersHarness } from "../../testing/owners-harness.ts";
import { OwnedValves } from "../valves/valve-service.ts";

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const CHANNEL = "channel:11";
const STATE = pathTo(channelState, { serial: 200001, channelId: 11 });

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "mulkko-overdue-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** A run of a valve that opens, ignores every close, and is reported open at each read. */
interface Run {
  readonly runSeconds: number;
  /** The valve closes by itself, as it says in the first reports of the run, and then does not. */
  readonly timed: boolean;
  /** Opened at the controller first, and by a person after that. */
  readonly takenOver: boolean;
  /** Seconds after the begin of the run at which a person closes it; null: never. */
  readonly closedAfter: number | null;
  /** Seconds relative to the end of the run at which the relay is killed, and how long it is away. */
  readonly restarts: readonly { readonly at: number; readonly away: number }[];
}

/** Return when the alarm was first active, relative to the end of the run, ms. */
async function alarmOf(run: Run, name: string): Promise<number | null> {
  const clock = createFakeClock();
  const iso = (at: number): string => new Date(at).toISOString();
  const valve = { onoff: run.takenOver ? 1 : 2, end: null as number | null, namesUntil: 0 };
  const extensions: Extension[] = run.timed ? ["relay-session", "timed-run"] : ["relay-session"];
  const start = (): OwnersHarness => {
    const harness = createOwnersHarness({
      clock,
      extensions,
      relayKey: "0123456789abcdef",
      file: join(folder, `${name}.sqlite`),
      createService: OwnedValves.load,
    });
    const channels = [{ id: 11, channelNumber: 1, sensors: [] }];
    harness.api.answer(controllerList.path, [buildController({ type: "CON01W", channels })]);
    harness.api.answer(STATE, () => ({
      serial: 200001,
      onoff: valve.onoff,
      ...{ automatic: 0, reservation: 0, period: 0, createdDate: iso(clock.now()) },
      ...(run.timed && clock.now() < valve.namesUntil && valve.end && { runUntil: iso(valve.end) }),
    }));
    harness.api.answer(controllerCommand.path, (options: { json?: unknown }) => {
      const { json } = options;
      if (typeof json === "object" && json !== null && "payload" in json && json.payload === 1) {
        valve.onoff = 1;
        valve.end = clock.now() + run.runSeconds * SECOND;
        valve.namesUntil = clock.now() + 20 * SECOND;
      }
      return null;
    });
    return harness;
  };
  let harness = start();
  const { proven } = harness;
  (await harness.owners.view(proven, "t1")).release();
  await harness.timers.pass(MINUTE);
  const press = async (target: 1 | 2): Promise<void> => {
    const service = await harness.owners.service(proven, "t1");
    const outcome = service.command({
      commandId: `press-${target}`,
      controllerId: String(buildController().id),
      number: 1,
      command: "onoff",
      payload: target,
      target,
      ...(target === 1 && { maxRunSeconds: run.runSeconds }),
      by: { id: "u", nickname: "Kim" },
      token: "t1",
      tokenEndsAt: proven.expiresAt,
      ...{ form: "controller" as const, origin: "screen", traceId: "trace" },
    });
    await harness.timers.pass(20 * SECOND);
    expect(await outcome).toMatchObject({ ok: true });
  };
  const pressedAt = clock.now();
  const end = pressedAt + run.runSeconds * SECOND;
  await press(1);
  const closeAt = run.closedAfter === null ? null : pressedAt + run.closedAfter * SECOND;
  let first: number | null = null;
  const passTo = async (until: number): Promise<void> => {
    while (clock.now() < until) {
      await harness.timers.pass(Math.min(SECOND, until - clock.now()));
      const alarms = await harness.owners.alarms({ accountId: proven.accountId }, undefined);
      const isRaised = (await alarms.list({ which: "present" })).some(
        ({ type, key, active }) => active && key === CHANNEL && type === "open-too-long",
      );
      // Once raised it stays: the valve is reported open all the time.
      if (first !== null) expect(isRaised).toBe(true);
      if (isRaised) first ??= clock.now() - end;
    }
  };
  const kills = run.restarts.map((one) => ({ ...one, isClose: false, at: end + one.at * SECOND }));
  const closes = closeAt === null ? [] : [{ at: closeAt, away: 0, isClose: true }];
  for (const event of [...kills, ...closes].sort((a, b) => a.at - b.at)) {
    if (event.at > clock.now()) await passTo(event.at);
    if (event.isClose) {
      await press(2);
      continue;
    }
    await harness.owners.close();
    clock.advance(event.away * SECOND);
    harness = start();
    await harness.owners.resume();
    await harness.timers.pass(3 * SECOND);
  }
  await passTo(end + 4 * MINUTE);
  await harness.owners.close();
  return first;
}

test("[ALM-8] a run that the relay times is overdue although it restarts within the minute after its end", async () => {
  const run: Run = { runSeconds: 120, timed: false, takenOver: false, closedAfter: null, restarts: [] };
  const alone = await alarmOf(run, "alone");
  const restarted = await alarmOf({ ...run, restarts: [{ at: 20, away: 5 }] }, "restarted");
  expect([alone, restarted].map((at) => at !== null && at >= MINUTE && at < MINUTE + 10 * SECOND)).toEqual([
    true,
    true,
  ]);
});

test("[ALM-8] every overdue run is known at the same time after any restarts", async () => {
  const restart = fc.record({
    at: fc.integer({ min: -60, max: 100 }),
    away: fc.integer({ min: 1, max: 40 }),
  });
  let runs = 0;
  await fc.assert(
    fc.asyncProperty(
      fc.record({
        runSeconds: fc.integer({ min: 90, max: 400 }),
        timed: fc.boolean(),
        takenOver: fc.boolean(),
        closedAfter: fc.option(fc.integer({ min: 25, max: 80 })),
        restarts: fc.array(restart, { minLength: 1, maxLength: 3 }),
      }),
      async (run) => {
        runs += 1;
        const alone = await alarmOf({ ...run, restarts: [] }, `alone-${runs}`);
        const restarted = await alarmOf(run, `restarted-${runs}`);
        expect(alone).not.toBeNull();
        expect(restarted).not.toBeNull();
        // A relay that was away at that moment raises it when it is back and has read the valve.
        const away = run.restarts.reduce((sum, one) => sum + one.away, 0) * SECOND;
        expect(restarted ?? 0).toBeGreaterThanOrEqual(MINUTE);
        expect(restarted ?? 0).toBeLessThanOrEqual((alone ?? 0) + away + 20 * SECOND);
      },
    ),
    fuzzing(25),
  );
}, 120_000);
