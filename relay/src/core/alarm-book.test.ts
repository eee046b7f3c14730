import type { AlarmPriority, AlarmType } from "@mulkko/shared/live/alarm";
import fc from "fast-check";
import { expect, test } from "vitest";
import { isOver } from "./alarm.ts";
import { ALARMS_AT_MOST, type AlarmStep, createAlarmBook } from "./alarm-book.ts";

const T0 = Date.UTC(2026, 10, 21, 3);
const HOUR = 3_600_000;
const by = { id: "u", nickname: "Kim" };
const KEY = "controller:1";

function bookOf() {
  let ids = 0;
  return createAlarmBook(() => `a${ids++}`);
}
const ackAt = (at: number) => ({ by, at: new Date(at).toISOString(), comment: null });
const alarmOf = (step: AlarmStep) => {
  if (step.kind === "nothing" || step.kind === "full") throw new Error(step.kind);
  return step.alarm;
};

test("[ALM-2] one device has one alarm of a type; a trigger more is counted", () => {
  const book = bookOf();
  const first = alarmOf(book.raise(KEY, "battery", { priority: 3 }, T0));
  const again = alarmOf(book.raise(KEY, "battery", { priority: 3, detail: { message: "low" } }, T0 + 1));
  expect(again).toMatchObject({
    id: first.id,
    count: 2,
    raisedAt: first.raisedAt,
    detail: { message: "low" },
  });
  expect(book.hold(KEY, "battery", { priority: 3, detail: { message: "low" } }, T0 + 2).kind).toBe("nothing");
  expect(book.size).toBe(1);
});

test("[ALM-2] an alarm goes once it is cleared and acknowledged, whichever comes first", () => {
  const book = bookOf();
  const { id } = alarmOf(book.raise(KEY, "offline", { priority: 2 }, T0));
  expect(book.clear(KEY, "offline", T0 + 1)).toMatchObject({ kind: "changed", alarm: { active: false } });
  expect(book.acknowledge(id, ackAt(T0 + 2))).toMatchObject({ ok: true, step: { kind: "past" } });
  const second = alarmOf(book.raise(KEY, "offline", { priority: 2 }, T0 + 3));
  expect(second.id).not.toBe(id);
  expect(book.acknowledge(second.id, ackAt(T0 + 4))).toMatchObject({ ok: true, step: { kind: "changed" } });
  expect(book.clear(KEY, "offline", T0 + 5)).toMatchObject({ kind: "past", alarm: { ack: { by } } });
  expect(book.size).toBe(0);
});

test("[ALM-2] a cleared alarm that nobody has seen becomes active again under its own id", () => {
  const book = bookOf();
  const { id } = alarmOf(book.raise(KEY, "offline", { priority: 2 }, T0));
  book.clear(KEY, "offline", T0 + 1_000);
  const again = alarmOf(book.hold(KEY, "offline", { priority: 2 }, T0 + 2_000));
  expect(again).toMatchObject({ id, count: 2, active: true, clearedAt: null });
  expect(again.raisedAt).toBe(new Date(T0 + 2_000).toISOString());
});

test("[ALM-2] the first who acknowledges is the one; what becomes more urgent has to be seen again", () => {
  const book = bookOf();
  const { id } = alarmOf(book.hold(KEY, "offline", { priority: 2 }, T0));
  book.acknowledge(id, { ...ackAt(T0), comment: "on my way" });
  const second = book.acknowledge(id, { by: { id: "v", nickname: "Lee" }, at: "later", comment: null });
  expect(second).toMatchObject({ ok: true, alarm: { ack: { by, comment: "on my way" } } });
  expect(book.hold(KEY, "offline", { priority: 1 }, T0 + 1)).toMatchObject({
    told: true,
    alarm: { ack: null },
  });
});

test("[ALM-3] a snooze ends at its end, on recovery, and where it becomes most urgent", () => {
  const book = bookOf();
  const { id } = alarmOf(book.hold(KEY, "offline", { priority: 2 }, T0));
  expect(book.snooze(id, T0 + HOUR, "known", T0)).toMatchObject({ ok: true });
  expect(book.nextWake()).toBe(T0 + HOUR);
  expect(book.wake(T0 + HOUR - 1)).toEqual([]);
  expect(book.wake(T0 + HOUR)).toMatchObject([{ told: true, alarm: { id, snooze: null } }]);

  book.snooze(id, T0 + 2 * HOUR, "known", T0 + HOUR);
  expect(book.clear(KEY, "offline", T0 + HOUR)).toMatchObject({ alarm: { snooze: null } });
  book.hold(KEY, "offline", { priority: 2 }, T0 + HOUR);
  book.snooze(id, T0 + 2 * HOUR, "known", T0 + HOUR);
  expect(book.hold(KEY, "offline", { priority: 1 }, T0 + HOUR)).toMatchObject({ alarm: { snooze: null } });
});

test("[ALM-3] the most urgent, the cleared and the unknown cannot be put off, nor for ever", () => {
  const book = bookOf();
  const urgent = alarmOf(book.hold(KEY, "command-failed", { priority: 1 }, T0));
  const plain = alarmOf(book.hold(KEY, "offline", { priority: 2 }, T0));
  const why = (id: string, until: number) => {
    const answer = book.snooze(id, until, "known", T0);
    return answer.ok ? null : answer.why;
  };
  expect(why(urgent.id, T0 + HOUR)).toBe("most-urgent");
  expect(why("nobody", T0 + HOUR)).toBe("unknown");
  expect(why(plain.id, T0)).toBe("bad-end");
  expect(why(plain.id, T0 + 8 * 24 * HOUR)).toBe("bad-end");
  book.clear(KEY, "offline", T0);
  expect(why(plain.id, T0 + HOUR)).toBe("not-active");
});

test("[ALM-2] what nobody can see the end of is told once and waits to be acknowledged", () => {
  const book = bookOf();
  const step = book.note("account", "battery", { priority: 3 }, T0);
  expect(step).toMatchObject({ kind: "changed", told: true, alarm: { active: false, ack: null } });
  expect(book.acknowledge(alarmOf(step).id, ackAt(T0))).toMatchObject({ ok: true, step: { kind: "past" } });
});

test("[ALM-2] room is made by cleared alarms alone, never by one that is active", () => {
  const book = bookOf();
  for (let n = 0; n < ALARMS_AT_MOST; n += 1) book.hold(`sensor:${n}`, "offline", { priority: 3 }, T0 + n);
  expect(book.hold("sensor:x", "offline", { priority: 3 }, T0).kind).toBe("full");
  book.clear("sensor:7", "offline", T0);
  expect(book.hold("sensor:x", "offline", { priority: 3 }, T0).kind).toBe("changed");
  expect(book.trim()).toMatchObject([{ kind: "past", alarm: { key: "sensor:7" } }]);
  expect(book.size).toBe(ALARMS_AT_MOST);
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

test("[ALM-2] no sequence loses an active alarm, keeps one that is over, or puts off the most urgent", () => {
  fc.assert(
    fc.property(fc.array(operation, { maxLength: 60 }), (operations) => {
      let book = bookOf();
      let at = T0;
      /** What is wrong, by a model that knows nothing of alarms. */
      const wrong = new Set<string>();
      for (const op of operations) {
        const name = `${op.key} ${op.type}`;
        const id = book.of(op.key, op.type)?.id ?? "none";
        at += 60_000;
        switch (op.do) {
          case "raise":
          case "hold":
            book[op.do](op.key, op.type, { priority: op.priority }, at);
            wrong.add(name);
            break;
          case "clear":
            book.clear(op.key, op.type, at);
            wrong.delete(name);
            break;
          case "withdraw":
            book.withdraw(op.key, op.type);
            wrong.delete(name);
            break;
          case "acknowledge":
            book.acknowledge(id, ackAt(at));
            break;
          case "snooze":
            book.snooze(id, at + 5 * 60_000, "known", at);
            break;
          case "unsnooze":
            book.unsnooze(id);
            break;
          case "restart": {
            const kept = JSON.parse(JSON.stringify([...book.alarms]));
            book = bookOf();
            for (const alarm of kept) book.restore({ ...alarm, id: `${alarm.id}r` });
            break;
          }
          case "wait":
            at += 10 * 60_000;
            book.wake(at);
            break;
        }
        const active = [...book.alarms].filter((alarm) => alarm.active);
        expect(new Set(active.map(({ key, type }) => `${key} ${type}`))).toEqual(wrong);
        for (const alarm of book.alarms) {
          expect(isOver(alarm)).toBe(false);
          expect(book.byId(alarm.id)).toBe(alarm);
          if (alarm.snooze !== null) expect(alarm.active && alarm.priority > 1).toBe(true);
        }
      }
    }),
    { numRuns: 2_000 },
  );
});
