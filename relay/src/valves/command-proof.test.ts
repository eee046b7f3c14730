import { describe, expect, test } from "vitest";
import { ACCEPTED, buildClose, buildOpen, buildReport, s } from "../../testing/intents.ts";
import type { ChannelReport } from "../account/channel-report.ts";
import { countsFrom, type Evidence, evidenceOf, weighHint } from "./command-proof.ts";
import { type Intent, VALVE_LIMITS } from "./intent.ts";
import { answered, reported, sending } from "./intent-steps.ts";

const open = buildOpen({ ...ACCEPTED, timed: false, sentIds: ["command-1"] });
const timed = buildOpen({ ...ACCEPTED, sentIds: ["command-1"], runUntilBefore: s(45) });
const close = buildClose({ ...ACCEPTED, sentIds: ["command-1"] });

type Row = [what: string, intent: Intent, report: Partial<ChannelReport>, evidence: Evidence];

describe("a report", () => {
  test.each<Row>([
    ["of the other state", open, { onoff: 2, at: s(5) }, "contrary"],
    ["of the other state, though with our id", close, { onoff: 1, commandId: "command-1" }, "contrary"],
    ["of no state", close, { onoff: 0, at: s(5) }, "nothing"],
    ["of the target since the acceptance", close, { via: "mqtt", onoff: 2, at: s(1.001) }, "time"],
    ["read of the target since the acceptance and what follows it", close, { onoff: 2, at: s(4.1) }, "time"],
    ["read of the target as of the acceptance", close, { onoff: 2, at: s(1.001) }, "hint"],
    ["of the target at the acceptance itself", close, { via: "mqtt", onoff: 2, at: s(1) }, "nothing"],
    [
      "of the target received since, without a time of its own",
      open,
      { via: "mqtt", onoff: 1, heardAt: s(2) },
      "time",
    ],
    [
      "measured before and received after it",
      close,
      { via: "mqtt", onoff: 2, at: s(-9), heardAt: s(2) },
      "nothing",
    ],
    ["with our id, older than the acceptance", open, { onoff: 1, at: s(0.1), commandId: "command-1" }, "id"],
    ["with another's id since then", close, { onoff: 2, at: s(2), commandId: "other" }, "time"],
    ["of a lost controller since then", close, { onoff: 2, at: s(2), isLost: true }, "nothing"],
    ["read of a lost controller", close, { onoff: 2, askedAt: s(4), isLost: true }, "nothing"],
    ["of open water of a lost controller", open, { onoff: 1, at: s(2), isLost: true }, "nothing"],
    ["of a lost controller with our id", open, { onoff: 1, commandId: "command-1", isLost: true }, "id"],
  ])("[CMD-1] %s is %4$s", (_what, intent, report, evidence) => {
    expect(evidenceOf(intent, buildReport(report))).toBe(evidence);
  });

  test("[CMD-1] that reached the farm API before the acceptance proves nothing, whatever its device's clock says", () => {
    const offsets = [0, -40_000, 90_000, -3_600_000];
    for (const offsetMs of offsets)
      for (const intent of [open, close])
        for (const via of ["mqtt", "poll"] as const)
          for (const aheadMs of [5_000, 40_000, 300_000]) {
            const heardAt = s(-4) + offsetMs;
            const report = { via, onoff: intent === open ? 1 : 2, heardAt, at: heardAt + aheadMs } as const;
            expect(evidenceOf({ ...intent, offsetMs }, buildReport(report))).toBe("nothing");
            const later = { ...report, heardAt: s(2) + offsetMs, at: s(2) + offsetMs + aheadMs };
            expect(evidenceOf({ ...intent, offsetMs }, buildReport(later))).toBe("time");
          }
  });

  test.each<Row>([
    ["a read without times of a plain API", open, { onoff: 1, askedAt: s(4) }, "hint"],
    ["a message without times", open, { onoff: 1, via: "mqtt", askedAt: s(4) }, "nothing"],
    ["a read in whole seconds, of the second of the send", close, { onoff: 2, at: s(0) }, "hint"],
    ["a read of a second before the send", close, { onoff: 2, at: s(-1) }, "nothing"],
    ["a message of the second of the send", close, { onoff: 2, at: s(0), via: "mqtt" }, "nothing"],
  ])("[CMD-1] %s is %4$s", (_what, intent, report, evidence) => {
    expect(evidenceOf(intent, buildReport(report))).toBe(evidence);
  });

  test.each<Row>([
    ["without any end of run", timed, { onoff: 1, at: s(2) }, "nothing"],
    ["with the end of the run before", timed, { onoff: 1, at: s(2), runUntil: s(45) }, "nothing"],
    ["with the new end of run", timed, { onoff: 1, at: s(2), runUntil: s(600) }, "time"],
    ["with an end 15 s too early", timed, { onoff: 1, at: s(2), runUntil: s(585) }, "time"],
    ["with an end more than 15 s too early", timed, { onoff: 1, at: s(2), runUntil: s(584.9) }, "nothing"],
    ["with an end 40 s too late", timed, { onoff: 1, at: s(2), runUntil: s(640) }, "time"],
    ["with an end more than 40 s too late", timed, { onoff: 1, at: s(2), runUntil: s(640.1) }, "nothing"],
  ])(
    "[CMD-1] of open water where the device times itself, %s, is %4$s",
    (_what, intent, report, evidence) => {
      expect(evidenceOf(intent, buildReport(report))).toBe(evidence);
    },
  );

  test("[CMD-1] of a farm API that answers what it was commanded proves no command that its valve does not obey", () => {
    const gaps = [0, ...VALVE_LIMITS.closeGapsMs.slice(0, 5)];
    const sends = gaps.map((_, index) => gaps.slice(0, index + 1).reduce((sum, gap) => sum + gap, 0));
    for (const want of ["open", "close"] as const)
      for (const reportMs of [100, 300, 900, 1_400, 1_900])
        for (const [lateMs, aheadMs] of [
          [-50, 0],
          [0, 0],
          [20, 2_900],
          [400, 2_900],
          [20, -2_900],
        ] as const) {
          let intent: Intent =
            want === "close" ? buildClose({}) : buildOpen({ timed: false, expires: false });
          const events = [
            ...sends.slice(0, want === "close" ? 6 : 1).map((at) => ({ at, isSend: true })),
            ...VALVE_LIMITS.readStepsMs.map((at) => ({ at: at + lateMs, isSend: false })),
          ].sort((a, b) => a.at - b.at);
          let sentAt = 0;
          for (const { at, isSend } of events) {
            if (isSend) {
              sentAt = at;
              intent = answered(
                sending(intent, "send", s(0) + at),
                { kind: "accepted", commandId: null },
                s(0) + at,
              );
              continue;
            }
            const isEcho = at < sentAt + reportMs;
            const onoff = isEcho === (want === "open") ? 1 : 2;
            const since = s(0) + aheadMs + (isEcho ? sentAt : sentAt + reportMs);
            const report = buildReport({ onoff, at: since, askedAt: s(0) + at });
            intent = reported(intent, report, s(0) + at);
            expect(intent.proof, `${want}, read after ${at} ms, reports after ${reportMs} ms`).toBeNull();
          }
        }
  });

  test("[CMD-1] of open water with the end time of the previous run proves nothing, however close to ours", () => {
    const near = { ...timed, runUntilBefore: s(598) };
    expect(evidenceOf(near, buildReport({ onoff: 1, at: s(2), runUntil: s(598) }))).toBe("nothing");
    expect(evidenceOf(near, buildReport({ onoff: 1, at: s(2), runUntil: s(598.5) }))).toBe("time");
  });

  test("[CMD-1] of a read in whole seconds may refer to any moment of its second, also after the send", () => {
    const sent = { ...close, firstSentAt: s(0.4) };
    expect(evidenceOf(sent, buildReport({ onoff: 2, at: s(0) }))).toBe("hint");
    expect(evidenceOf(sent, buildReport({ onoff: 2, at: s(0) + 1 }))).toBe("nothing");
  });

  test("[CMD-1] is compared with the acceptance on the farm API's clock", () => {
    const fast = { ...close, offsetMs: 60_000 };
    expect(evidenceOf(fast, buildReport({ via: "mqtt", onoff: 2, at: s(61) }))).toBe("nothing");
    expect(evidenceOf(fast, buildReport({ via: "mqtt", onoff: 2, at: s(61.001) }))).toBe("time");
    const fastOpen = { ...timed, offsetMs: 60_000 };
    expect(evidenceOf(fastOpen, buildReport({ onoff: 1, at: s(70), runUntil: s(660) }))).toBe("time");
    expect(evidenceOf(fastOpen, buildReport({ onoff: 1, at: s(70), runUntil: s(600) }))).toBe("nothing");
  });

  test("[RUN-4] with times made doubtful by a clock change is at most a hint, unless it carries our command id", () => {
    const doubtful = { ...close, timesDoubtful: true };
    expect(evidenceOf(doubtful, buildReport({ onoff: 2, at: s(50) }))).toBe("hint");
    expect(evidenceOf(doubtful, buildReport({ via: "mqtt", onoff: 2, at: s(50) }))).toBe("nothing");
    expect(evidenceOf(doubtful, buildReport({ onoff: 2, at: s(50), commandId: "command-1" }))).toBe("id");
    const numbered = { via: "mqtt", onoff: 2, arrival: 7, askedAt: s(4) } as const;
    expect(evidenceOf(doubtful, buildReport({ ...numbered, isLive: true }))).toBe("time");
    // A retained state, or a saved mode: the valve has sent nothing.
    expect(evidenceOf(doubtful, buildReport(numbered))).toBe("nothing");
    const doubtfulOpen = { ...timed, timesDoubtful: true };
    expect(evidenceOf(doubtfulOpen, buildReport({ onoff: 1, runUntil: s(7_800) }))).toBe("hint");
    expect(evidenceOf(doubtfulOpen, buildReport({ onoff: 1, runUntil: s(45) }))).toBe("nothing");
  });

  test("[CMD-0] of an opening that this one replaced proves nothing for it", () => {
    const second = { ...open, earlierOpens: { commandIds: ["command-0"], expiresAt: s(20) } };
    expect(evidenceOf(second, buildReport({ onoff: 1, at: s(5), commandId: "command-0" }))).toBe("nothing");
    expect(evidenceOf(second, buildReport({ onoff: 1, at: s(5) }))).toBe("time");
  });

  test("[CMD-1] of open water does not prove an opening that was certainly not carried out", () => {
    const unsent = buildOpen({ timed: false });
    expect(evidenceOf(unsent, buildReport({ onoff: 1, at: s(5) }))).toBe("nothing");
  });
});

test("[CMD-1] reports count from the acceptance; an unaccepted opening from the lost answer, a close from the request", () => {
  expect(countsFrom(open)).toBe(s(1));
  const lost = { sends: 1, answer: "unknown", answeredAt: s(8), mayHaveRun: true } as const;
  expect(countsFrom(buildOpen(lost))).toBe(s(8));
  expect(countsFrom(buildOpen({ ...lost, mayHaveRun: false, answer: "not-sent" }))).toBeNull();
  expect(countsFrom(buildClose())).toBe(s(0));
  const behind = buildClose({ earlierOpens: { commandIds: ["command-0"], expiresAt: s(20) } });
  expect(countsFrom(behind)).toBe(s(20));
});

test("[CMD-1] two equal reads prove, both started 2 s after the acceptance and 3 s apart", () => {
  const read = (askedAt: number) => buildReport({ onoff: 1, askedAt });
  expect(weighHint(open, read(s(2.999)))).toEqual({ firstRead: null, proves: false });
  expect(weighHint(open, read(s(3)))).toEqual({ firstRead: s(3), proves: false });
  const once = { ...open, firstRead: s(3) };
  expect(weighHint(once, read(s(5.999)))).toEqual({ firstRead: s(3), proves: false });
  expect(weighHint(once, read(s(6)))).toEqual({ firstRead: s(3), proves: true });
  const unsent = buildOpen({ timed: false });
  expect(weighHint(unsent, read(s(60)))).toEqual({ firstRead: null, proves: false });
});
