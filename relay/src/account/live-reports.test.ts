import { channelState, controllerList } from "@mulkko/shared/rest/operations/controllers";
import { pathTo } from "@mulkko/shared/rest/operations/operation";
import { createApiTimeZone } from "@mulkko/shared/rules/api-time";
import { buildController } from "@mulkko/shared/testing/builders";
import fc from "fast-check";
import { expect, test } from "vitest";
import { fuzzing } from "../../testing/fuzz.ts";
import { createOwnersHarness } from "../../testing/owners-harness.ts";
import { UpstreamStatusError } from "../upstream/errors.ts";

const MINUTE = 60_000;
const CHANNEL = "channel:11";
const zone = createApiTimeZone("Asia/Seoul");
const iso = (at: number | null): string | null => (at === null ? null : new Date(at).toISOString());

/** A relay that watches one valve, whose controller last reported "closed" at the start. */
async function watched() {
  const harness = createOwnersHarness();
  const start = harness.clock.now();
  harness.api.answer(controllerList.path, [buildController()]);
  const answer = (state: { onoff: number; at: number; arrival: number; runUntil?: string | null }) =>
    harness.api.answer(pathTo(channelState, { serial: 200001, channelId: 11 }), {
      onoff: state.onoff,
      createdDate: zone.toApi(state.at),
      arrival: state.arrival,
      runUntil: state.runUntil ?? null,
    });
  answer({ onoff: 2, at: start, arrival: 1 });
  const viewer = await harness.owners.view(harness.proven, "t1");
  const [controllerKey = ""] = Object.keys(harness.state(viewer)).filter((key) =>
    key.startsWith("controller:"),
  );
  const publish = (body: object) => harness.publish("channel", "11", body);
  publish({ onoff: 2, at: iso(start), heardAt: iso(start), arrival: 1, isLive: true });
  await harness.timers.pass(1_000);
  return {
    harness,
    start,
    answer,
    publish,
    shown: () => {
      const state = harness.state(viewer);
      const { onoff, heardAt } = state[CHANNEL] ?? {};
      return { onoff, heardAt, contact: state[controllerKey]?.heardAt };
    },
  };
}
type Watched = Awaited<ReturnType<typeof watched>>;

/** The farm API shows a state by a message and in its reads. */
async function show(
  { harness, answer, publish }: Watched,
  state: { onoff: number; at: number; heardAt: number; arrival: number; isLive?: boolean },
): Promise<void> {
  answer(state);
  publish({ ...state, at: iso(state.at), heardAt: iso(state.heardAt) });
  await harness.timers.pass(1_000);
}

test("[ORD-4] a retained state that is newer than the stored one counts at its own time", async () => {
  const relay = await watched();
  await relay.harness.timers.pass(180 * MINUTE);
  const at = relay.harness.clock.now() - 70 * MINUTE;
  await show(relay, { onoff: 1, at, heardAt: at, arrival: 2, isLive: false });
  expect(relay.shown()).toEqual({ onoff: 1, heardAt: iso(at), contact: iso(at) });
});

test("[ORD-4] a retained state that contradicts the stored one without a time is no contact", async () => {
  const relay = await watched();
  await relay.harness.timers.pass(20 * MINUTE);
  await show(relay, { onoff: 0, at: relay.start, heardAt: relay.start, arrival: 2, isLive: false });
  const last = iso(relay.start);
  expect(relay.shown()).toEqual({ onoff: 0, heardAt: last, contact: last });
});

test("[ORD-4] a mode saved for a silent valve is no contact", async () => {
  const relay = await watched();
  await relay.harness.timers.pass(180 * MINUTE);
  await show(relay, { onoff: 2, at: relay.start, heardAt: relay.start, arrival: 2, isLive: false });
  const last = iso(relay.start);
  expect(relay.shown()).toEqual({ onoff: 2, heardAt: last, contact: last });
});

test("[ORD-4] a message of an API that does not say whether it is live is no contact of now", async () => {
  const relay = await watched();
  await relay.harness.timers.pass(20 * MINUTE);
  const at = relay.harness.clock.now() - 16 * MINUTE;
  await show(relay, { onoff: 1, at, heardAt: at, arrival: 2 });
  expect(relay.shown()).toEqual({ onoff: 1, heardAt: iso(at), contact: iso(at) });
});

test("[ORD-1] a live report of an API whose clock was set back by hours is a contact of now", async () => {
  const relay = await watched();
  await relay.harness.timers.pass(20 * MINUTE);
  const at = relay.harness.clock.now() - 180 * MINUTE;
  relay.publish({ onoff: 1, at: iso(at), heardAt: iso(at), arrival: 2, isLive: true });
  const now = iso(relay.harness.clock.now());
  await relay.harness.timers.pass(1_000);
  expect(relay.shown()).toEqual({ onoff: 1, heardAt: now, contact: now });
});

const event = fc.record({
  /** `live`: the device reports; `retained`: the broker's copy of its last one; `settings`: a mode is saved. */
  kind: fc.constantFrom("live", "retained", "settings"),
  waits: fc.constantFrom(1_000, 30_000, 6 * MINUTE, 40 * MINUTE, 90 * MINUTE),
  /** How far the time of the state is behind the device's contact. */
  late: fc.constantFrom(0, 20_000, 20 * MINUTE),
  open: fc.boolean(),
});

test("[ORD-4] the contact of a controller is its last live report, whatever else arrives", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(event, { minLength: 1, maxLength: 8 }), async (events) => {
      const relay = await watched();
      let last = { onoff: 2, at: relay.start, heardAt: relay.start };
      for (const [index, { kind, waits, late, open }] of events.entries()) {
        await relay.harness.timers.pass(waits);
        const now = relay.harness.clock.now();
        if (kind === "live") last = { onoff: open ? 1 : 2, at: now - late, heardAt: now };
        // Without a time, another retained state makes the channel unknown.
        const onoff = kind === "retained" && late === 0 ? 0 : last.onoff;
        await show(relay, { ...last, onoff, arrival: index + 2, isLive: kind === "live" });
        const contact = Date.parse(String(relay.shown().contact));
        expect(contact).toBeLessThanOrEqual(last.heardAt);
        // SUB-8: updates of the contact alone are 5 s apart.
        expect(contact).toBeGreaterThan(last.heardAt - 5_000);
        expect(relay.shown().onoff).toBe(onoff);
      }
    }),
    fuzzing(40),
  );
});

test("[ORD-7] the end of a run of a farm API whose times are ahead is of the relay's clock", async () => {
  const relay = await watched();
  const { harness, answer } = relay;
  const row = (ahead: number) => {
    const at = harness.clock.now() + ahead;
    answer({ onoff: 1, at, arrival: 2, runUntil: iso(at + 10 * MINUTE) });
  };
  row(540 * MINUTE);
  await harness.timers.pass(2 * MINUTE);
  const reported = harness.reports.flatMap(({ report }) => (report.onoff === 1 ? [report] : []));
  expect(reported.length).toBeGreaterThan(1);
  for (const { at, runUntil } of reported) expect(runUntil).toBe((at ?? 0) + 10 * MINUTE);
  expect(new Set(reported.map(({ runUntil }) => runUntil)).size).toBe(1);
});

test("[LINK-3] a valve stays lost after its controller is back, until its own report", async () => {
  const harness = createOwnersHarness();
  harness.api.answer(controllerList.path, [
    buildController({
      channels: [11, 12].map((id, index) => ({ id, channelNumber: index + 1, sensors: [] })),
    }),
  ]);
  let arrival = 0;
  /** The API's answer and message of a channel's state. */
  const say = async (id: number, link: "up" | "lost", beforeLoss?: boolean): Promise<void> => {
    arrival += 1;
    const at = harness.clock.now();
    const state = { onoff: 2, arrival, link, ...(beforeLoss !== undefined && { beforeLoss }) };
    const url = pathTo(channelState, { serial: 200001, channelId: id });
    harness.api.answer(url, { ...state, createdDate: zone.toApi(at) });
    harness.publish("channel", String(id), { ...state, at: iso(at), heardAt: iso(at), isLive: true });
    await harness.timers.pass(100);
  };
  const viewer = await harness.owners.view(harness.proven, "t1");
  const links = () => {
    const state = harness.state(viewer);
    const [controller = ""] = Object.keys(state).filter((key) => key.startsWith("controller:"));
    return [controller, "channel:11", "channel:12"].map((key) => state[key]?.link);
  };
  await say(11, "up");
  await say(12, "up");
  expect(links()).toEqual(["up", "up", "up"]);
  await say(11, "lost");
  expect(links()).toEqual(["lost", "lost", "lost"]);
  await say(11, "up");
  expect(links()).toEqual(["up", "up", "lost"]);
  await say(12, "up", true);
  expect(links()).toEqual(["up", "up", "lost"]);
  await say(12, "up");
  expect(links()).toEqual(["up", "up", "up"]);
});

test("[LINK-3] a valve stays late after the farm API is back, until it was read", async () => {
  const { harness, shown } = await watched();
  const viewer = await harness.owners.view(harness.proven, "t1");
  const quality = () => harness.state(viewer)[CHANNEL]?.quality;
  expect(quality()).toBe("fresh");
  const url = pathTo(channelState, { serial: 200001, channelId: 11 });
  const reads = () => harness.api.calls.filter(({ path }) => path === url).length;
  harness.link.reachable(false);
  await harness.timers.pass(200);
  expect(quality()).toBe("late");
  const before = reads();
  harness.link.reachable(true);
  const seen: unknown[] = [];
  for (let ms = 0; ms < 20_000 && quality() === "late"; ms += 100) {
    seen.push(reads() > before);
    await harness.timers.pass(100);
  }
  // Late until the answer to the first read after it, which is shown with the next flush.
  expect(seen[0]).toBe(false);
  expect(reads()).toBeGreaterThan(before);
  expect([shown().onoff, quality()]).toEqual([2, "fresh"]);
});

test("[POLL-7] a valve is late once two reads of it in a row have failed, until it is read", async () => {
  const { harness } = await watched();
  const viewer = await harness.owners.view(harness.proven, "t1");
  const quality = () => harness.state(viewer)[CHANNEL]?.quality;
  const url = pathTo(channelState, { serial: 200001, channelId: 11 });
  const after = async (answers: readonly unknown[]): Promise<void> => {
    for (const answer of answers) {
      harness.api.answer(url, answer);
      const before = harness.api.count(url);
      for (let ms = 0; harness.api.count(url) === before; ms += 100) {
        expect(ms).toBeLessThan(20_000);
        await harness.timers.pass(100);
      }
    }
    await harness.timers.pass(500);
  };
  const state = { onoff: 2, createdDate: zone.toApi(harness.clock.now()) };
  const fault = new UpstreamStatusError("a fault", 500, "", null);
  await after([state]);
  expect(quality()).toBe("fresh");
  await after([fault]);
  expect(quality()).toBe("fresh");
  await after([state, fault]);
  expect(quality()).toBe("fresh");
  await after([fault]);
  expect(quality()).toBe("late");
  await after([state]);
  expect(quality()).toBe("fresh");
});

test("[POLL-7] a valve is late for a page that begins, until it is read for it", async () => {
  const harness = createOwnersHarness();
  harness.busy = true;
  const url = pathTo(channelState, { serial: 200001, channelId: 11 });
  harness.api.answer(controllerList.path, [buildController()]);
  harness.api.answer(url, () => ({ onoff: 2, createdDate: zone.toApi(harness.clock.now()) }));
  const first = await harness.owners.view(harness.proven, "t1");
  await harness.timers.pass(15_000);
  expect(harness.state(first)[CHANNEL]?.quality).toBe("fresh");
  first.release();
  await harness.timers.pass(90_000);
  const state = { onoff: 2, createdDate: zone.toApi(harness.clock.now()) };
  const slow = () => new Promise((resolve) => harness.timers.after(3_000, () => resolve(state)));
  harness.api.answer(url, slow);
  const second = await harness.owners.view(harness.proven, "t1");
  const quality = () => harness.state(second)[CHANNEL]?.quality;
  await harness.timers.pass(1_000);
  expect(quality()).toBe("late");
  await harness.timers.pass(5_000);
  expect(quality()).toBe("fresh");
});
