import type { AlarmPriority, AlarmType } from "@mulkko/shared/live/alarm";
import fc from "fast-check";
import { expect, test } from "vitest";
import { isOver } from "./alarm.ts";
import { ALARMS_AT_MOST, type AlarmStep, createAlarmRegistry } from "./alarm-registry.ts";

const T0 = Date.UTC(2026, 10, 21, 3);
const HOUR = 3_600_000;
const by = { id: "u", nickname: "Kim" };
const KEY = "controller:1";

function registryOf() {
  let ids = 0;
  return createAlarmRegistry(
    () => `a${ids++}`,
    () => ({}),
  );
}
const ackAt = (at: number) => ({ by, at: new Date(at).toISOString(), comment: null });
const alarmOf = (step: AlarmStep) => {
  if (step.kind === "nothing" || step.kind === "full") throw new Error(step.kind);
  return step.alarm;
};

test("[ALM-2] keeps one alarm per device and type, and counts further triggers", () => {
  const registry = registryOf();
  const first = alarmOf(registry.raise(KEY, "battery", { priority: 3 }, T0));
  const again = alarmOf(registry.raise(KEY, "battery", { priority: 3, detail: { message: "low" } }, T0 + 1));
  expect(again).toMatchObject({
    id: first.id,
    count: 2,
    raisedAt: first.raisedAt,
    detail: { message: "low" },
  });
  expect(registry.hold(KEY, "battery", { priority: 3, detail: { message: "low" } }, T0 + 2).kind).toBe(
    "nothing",
  );
  expect(registry.size).toBe(1);
});

test("[ALM-2] removes an alarm once it is cleared and acknowledged, in either order", () => {
  const registry = registryOf();
  const { id } = alarmOf(registry.raise(KEY, "offline", { priority: 2 }, T0));
  expect(registry.clear(KEY, "offline", T0 + 1)).toMatchObject({ kind: "changed", alarm: { active: false } });
  expect(registry.acknowledge(id, ackAt(T0 + 2))).toMatchObject({ ok: true, step: { kind: "past" } });
  const second = alarmOf(registry.raise(KEY, "offline", { priority: 2 }, T0 + 3));
  expect(second.id).not.toBe(id);
  expect(registry.acknowledge(second.id, ackAt(T0 + 4))).toMatchObject({
    ok: true,
    step: { kind: "changed" },
  });
  expect(registry.clear(KEY, "offline", T0 + 5)).toMatchObject({ kind: "past", alarm: { ack: { by } } });
  expect(registry.size).toBe(0);
});

test("[ALM-2] reactivates a cleared, unacknowledged alarm under its own id", () => {
  const registry = registryOf();
  const { id } = alarmOf(registry.raise(KEY, "offline", { priority: 2 }, T0));
  registry.clear(KEY, "offline", T0 + 1_000);
  const again = alarmOf(registry.hold(KEY, "offline", { priority: 2 }, T0 + 2_000));
  expect(again).toMatchObject({ id, count: 2, active: true, clearedAt: null });
  expect(again.raisedAt).toBe(new Date(T0 + 2_000).toISOString());
});

test("[ALM-2] keeps the first acknowledgement; a higher priority has to be acknowledged again", () => {
  const registry = registryOf();
  const { id } = alarmOf(registry.hold(KEY, "offline", { priority: 2 }, T0));
  registry.acknowledge(id, { ...ackAt(T0), comment: "on my way" });
  const second = registry.acknowledge(id, { by: { id: "v", nickname: "Lee" }, at: "later", comment: null });
  expect(second).toMatchObject({ ok: true, alarm: { ack: { by, comment: "on my way" } } });
  expect(registry.hold(KEY, "offline", { priority: 1 }, T0 + 1)).toMatchObject({
    reported: true,
    alarm: { ack: null },
  });
});

test("[ALM-3] a snooze ends at its end time, on recovery, and when the alarm becomes most urgent", () => {
  const registry = registryOf();
  const { id } = alarmOf(registry.hold(KEY, "offline", { priority: 2 }, T0));
  expect(registry.snooze(id, T0 + HOUR, "known", T0)).toMatchObject({ ok: true });
  expect(registry.nextWake()).toBe(T0 + HOUR);
  expect(registry.wake(T0 + HOUR - 1)).toEqual([]);
  expect(registry.wake(T0 + HOUR)).toMatchObject([{ reported: true, alarm: { id, snooze: null } }]);

  registry.snooze(id, T0 + 2 * HOUR, "known", T0 + HOUR);
  expect(registry.clear(KEY, "offline", T0 + HOUR)).toMatchObject({ alarm: { snooze: null } });
  registry.hold(KEY, "offline", { priority: 2 }, T0 + HOUR);
  registry.snooze(id, T0 + 2 * HOUR, "known", T0 + HOUR);
  expect(registry.hold(KEY, "offline", { priority: 1 }, T0 + HOUR)).toMatchObject({
    alarm: { snooze: null },
  });
});

test("[ALM-3] refuses to snooze most urgent, cleared and unknown alarms, and to snooze without end", () => {
  const registry = registryOf();
  const urgent = alarmOf(registry.hold(KEY, "command-failed", { priority: 1 }, T0));
  const plain = alarmOf(registry.hold(KEY, "offline", { priority: 2 }, T0));
  const why = (id: string, until: number) => {
    const answer = registry.snooze(id, until, "known", T0);
    return answer.ok ? null : answer.why;
  };
  expect(why(urgent.id, T0 + HOUR)).toBe("most-urgent");
  expect(why("nobody", T0 + HOUR)).toBe("unknown");
  expect(why(plain.id, T0)).toBe("bad-end");
  expect(why(plain.id, T0 + 8 * 24 * HOUR)).toBe("bad-end");
  registry.clear(KEY, "offline", T0);
  expect(why(plain.id, T0 + HOUR)).toBe("not-active");
});

test("[ALM-2] reports an alarm without an observable end once and keeps it until it is acknowledged", () => {
  const registry = registryOf();
  const step = registry.note("account", "battery", { priority: 3 }, T0);
  expect(step).toMatchObject({ kind: "changed", reported: true, alarm: { active: false, ack: null } });
  expect(registry.acknowledge(alarmOf(step).id, ackAt(T0))).toMatchObject({
    ok: true,
    step: { kind: "past" },
  });
});

test("[ALM-2] evicts cleared alarms only, never active ones", () => {
  const registry = registryOf();
  for (let n = 0; n < ALARMS_AT_MOST; n += 1)
    registry.hold(`sensor:${n}`, "offline", { priority: 3 }, T0 + n);
  expect(registry.hold("sensor:x", "offline", { priority: 3 }, T0).kind).toBe("full");
  registry.clear("sensor:7", "offline", T0);
  expect(registry.hold("sensor:x", "offline", { priority: 3 }, T0).kind).toBe("changed");
  expect(registry.trim()).toMatchObject([{ kind: "past", alarm: { key: "sensor:7" } }]);
  expect(registry.size).toBe(ALARMS_AT_MOST);
});

const TYPES: readonly AlarmType[] = ["offline", "battery", "command-failed"];
const KEYS = ["sensor:1", "sensor:2", "channel:3"] as const;
const priority = fc.constantFrom<AlarmPriority>(1, 2, 3);
const place = { key: fc.constantFrom(...KEYS), type: fc.constantFrom(...TYPES) };
const operation = fc.oneof(
  fc.record({ ...place, do: fc.constantFrom("raise" as const, "hold" as const), priority }),
  fc.record({ ...place, do: fc.constantFrom("clear" as const, "withdraw" as const), priority }),
  fc.record({ ...place, do: fc.constantFrom("acknowledge" as const, "unsnooze" as const), priority }),
  fc.record({ ...place, do: fc.constant("snooze" as const), priority }),
  fc.record({ ...place, do: fc.constantFrom("restart" as const, "wait" as const), priority }),
);

test("[ALM-2] no sequence loses an active alarm, keeps a finished one, or snoozes a most urgent one", () => {
  fc.assert(
    fc.property(fc.array(operation, { maxLength: 60 }), (operations) => {
      let registry = registryOf();
      let at = T0;
      /** The present faults, tracked by a model that is independent of alarms. */
      const wrong = new Set<string>();
      for (const op of operations) {
        const name = `${op.key} ${op.type}`;
        const id = registry.of(op.key, op.type)?.id ?? "none";
        at += 60_000;
        switch (op.do) {
          case "raise":
          case "hold":
            registry[op.do](op.key, op.type, { priority: op.priority }, at);
            wrong.add(name);
            break;
          case "clear":
            registry.clear(op.key, op.type, at);
            wrong.delete(name);
            break;
          case "withdraw":
            registry.withdraw(op.key, op.type);
            wrong.delete(name);
            break;
          case "acknowledge":
            registry.acknowledge(id, ackAt(at));
            break;
          case "snooze":
            registry.snooze(id, at + 5 * 60_000, "known", at);
            break;
          case "unsnooze":
            registry.unsnooze(id);
            break;
          case "restart": {
            const kept = JSON.parse(JSON.stringify([...registry.alarms]));
            registry = registryOf();
            for (const alarm of kept) registry.restore({ ...alarm, id: `${alarm.id}r` });
            break;
          }
          case "wait":
            at += 10 * 60_000;
            registry.wake(at);
            break;
        }
        const active = [...registry.alarms].filter((alarm) => alarm.active);
        expect(new Set(active.map(({ key, type }) => `${key} ${type}`))).toEqual(wrong);
        for (const alarm of registry.alarms) {
          expect(isOver(alarm)).toBe(false);
          expect(registry.byId(alarm.id)).toBe(alarm);
          if (alarm.snooze !== null) expect(alarm.active && alarm.priority > 1).toBe(true);
        }
      }
    }),
    { numRuns: 2_000 },
  );
});
