import { describe, expect, test } from "vitest";
import {
  ACCEPTED,
  buildClose,
  buildCommand,
  buildOpen,
  buildReport,
  buildSeen,
  PRESSED,
  s,
} from "../../testing/intents.ts";
import type { ChannelReport } from "../account/channel-report.ts";
import { type Intent, isPending, mayRun, type OpenIntent } from "./intent.ts";
import {
  answered,
  closeByRelay,
  commandClose,
  commandOpen,
  ended,
  notAhead,
  type Opening,
  reported,
  resumed,
  sending,
  shifted,
} from "./intent-steps.ts";
import { nextAction } from "./next-action.ts";

const OPENING: Opening = { runSeconds: 90, timed: true, runUntilBefore: null, shown: null };
const running = (change: Partial<OpenIntent> = {}): OpenIntent =>
  buildOpen({ ...ACCEPTED, state: "confirmed", proof: "time", sentIds: ["command-1"], ...change });
/** A command given 30 s after the intents of the builders. */
const later = buildCommand({ runId: "run-2", commandId: "command-2", at: s(30) });

describe("a command", () => {
  test("[RUN-2] On sets the run's end on the store's clock, counted from the command", () => {
    expect(commandOpen(buildCommand(), OPENING, null)).toEqual(buildOpen({ until: s(90) }));
  });

  test("[CMD-0] replaces the previous intent whole: no sends, answers or proofs stay", () => {
    const before = running({ readAt: s(9), firstRead: s(3), reason: "no-answer", offsetMs: 5_000 });
    const { fallbackUntil, earlierOpens, ...open } = commandOpen(later, OPENING, before);
    const { fallbackUntil: none, earlierOpens: neither, ...fresh } = commandOpen(later, OPENING, null);
    expect(open).toEqual(fresh);
    expect([fallbackUntil, none, neither]).toEqual([s(600), null, null]);
    expect(earlierOpens).not.toBeUndefined();
    const close = commandClose(later, before);
    expect(close).toMatchObject({ want: "close", why: "pressed", sends: 0, proof: null, state: "requested" });
    expect(isPending(close)).toBe(true);
  });

  test("[RUN-2] On again keeps the end of the previous run in case it is not carried out", () => {
    expect(commandOpen(later, OPENING, running()).fallbackUntil).toBe(s(600));
    const refused = buildOpen({ state: "refused", fallbackUntil: s(120) });
    expect(commandOpen(later, OPENING, refused).fallbackUntil).toBe(s(120));
    expect(commandOpen(later, OPENING, buildOpen({ state: "failed" })).fallbackUntil).toBeNull();
    const over = running({ overSince: PRESSED, proof: "id" });
    expect(commandOpen(later, OPENING, over).fallbackUntil).toBeNull();
    expect(commandOpen(later, OPENING, { ...over, overSince: s(1) }).fallbackUntil).toBe(s(600));
  });

  test("[CMD-4] On over an unconfirmed close owes that close at once", () => {
    expect(commandOpen(later, OPENING, buildClose()).fallbackUntil).toBe(later.at);
    expect(commandOpen(later, OPENING, buildClose({ state: "confirmed" })).fallbackUntil).toBeNull();
  });
});

describe("openings still in flight when they are replaced", () => {
  const lost = (change: Partial<OpenIntent> = {}): OpenIntent =>
    buildOpen({
      sends: 2,
      answer: "unknown",
      mayHaveRun: true,
      sentIds: ["command-1"],
      lastSentAt: s(5),
      ...change,
    });

  test("[CMD-0] are remembered by id until they expire", () => {
    expect(commandClose(later, lost({ at: s(10) })).earlierOpens).toEqual({
      commandIds: ["command-1"],
      expiresAt: s(35),
      press: { at: s(10), by: later.by, sentAt: s(5), expires: true },
    });
  });

  test("[CMD-0] are dropped 5 s after their expiry", () => {
    const at = (seconds: number) => commandClose(buildCommand({ at: s(seconds) }), lost()).earlierOpens;
    expect(at(29.999)).not.toBeNull();
    expect(at(30)).toBeNull();
  });

  test("[CMD-0] are none if the opening was certainly not carried out, or is proven by the id of its only send", () => {
    const soon = buildCommand({ at: s(3) });
    for (const answer of ["none", "refused", "not-sent"] as const) {
      expect(commandClose(soon, lost({ answer, mayHaveRun: false })).earlierOpens).toBeNull();
    }
    expect(commandClose(soon, lost({ answer: "waiting", mayHaveRun: false })).earlierOpens).not.toBeNull();
    expect(commandClose(soon, lost({ proof: "id", sends: 1 })).earlierOpens).toBeNull();
    expect(commandClose(soon, lost({ proof: "id", sends: 2 })).earlierOpens).not.toBeNull();
    expect(commandClose(soon, lost({ proof: "time", sends: 1 })).earlierOpens).not.toBeNull();
  });

  test("[CMD-0] are passed on by every later command, with the newest 8 ids at most", () => {
    const ids = Array.from({ length: 8 }, (_, n) => `old-${n}`);
    const first = buildClose({ earlierOpens: { commandIds: ids, expiresAt: s(25) } });
    expect(commandOpen(buildCommand({ at: s(2) }), OPENING, first).earlierOpens).toEqual(first.earlierOpens);
    const opened = lost({ at: s(2), earlierOpens: { commandIds: ids, expiresAt: s(25) } });
    expect(commandClose(buildCommand({ at: s(4) }), opened).earlierOpens).toEqual({
      commandIds: [...ids.slice(1), "command-1"],
      expiresAt: s(27),
      press: { at: s(2), by: later.by, sentAt: s(5), expires: true },
    });
  });
});

test("[RUN-2] the relay's own close belongs to the run and has the relay as its actor", () => {
  const close = closeByRelay(running(), "run-end", "relay-1", s(600));
  expect(close).toMatchObject({
    want: "close",
    why: "run-end",
    runId: "run-1",
    commandId: "relay-1",
    by: { id: "relay" },
    origin: "relay",
    at: s(600),
    state: "requested",
    sends: 0,
    proof: null,
  });
  expect(close).not.toHaveProperty("runUntilBefore");
  const shown = { onoff: 1, runUntil: s(600) } as const;
  expect(closeByRelay(running(), "run-end", "relay-1", s(600), shown)).toMatchObject({
    shownOpen: true,
    runUntilBefore: s(600),
  });
  expect(closeByRelay(close, "late-open", "relay-2", s(601))).toMatchObject({
    why: "late-open",
    commandId: "relay-2",
  });
});

describe("a send", () => {
  test("[RUN-3] is counted and named before it is transmitted", () => {
    const once = sending(buildOpen(), "command-1", s(0.1));
    expect(once).toMatchObject({
      sends: 1,
      firstSentAt: s(0.1),
      lastSentAt: s(0.1),
      sentIds: ["command-1"],
      answer: "waiting",
    });
    expect(mayRun(once)).toBe(true);
    expect(sending(once, "command-1", s(3))).toMatchObject({
      sends: 2,
      firstSentAt: s(0.1),
      lastSentAt: s(3),
      sentIds: ["command-1"],
    });
  });

  test("[CMD-4] of an endless close remembers the last 8 ids", () => {
    let close = buildClose();
    for (let n = 1; n <= 20; n += 1) close = sending(close, `close-${n}`, s(n));
    expect(close.sends).toBe(20);
    expect(close.sentIds).toEqual([13, 14, 15, 16, 17, 18, 19, 20].map((n) => `close-${n}`));
  });
});

describe("an answer", () => {
  const sent = sending(buildOpen(), "command-1", s(0));

  test("[CMD-1] of 2xx makes the intent accepted, with the API's clock", () => {
    const accepted = answered(sent, { kind: "accepted", commandId: null, offsetMs: 4_000 }, s(1));
    expect(accepted).toMatchObject({
      state: "accepted",
      acceptedAt: s(1),
      offsetMs: 4_000,
      answer: "ok",
      reason: null,
    });
    expect(mayRun(accepted)).toBe(true);
  });

  test("[CMD-1] of 2xx counts from the first one, and reverts no later state", () => {
    const again = answered(buildClose(ACCEPTED), { kind: "accepted", commandId: null }, s(9));
    expect(again).toMatchObject({ acceptedAt: s(1), answeredAt: s(9) });
    for (const state of ["confirmed", "unconfirmed", "superseded"] as const) {
      expect(answered(buildClose({ state }), { kind: "accepted", commandId: null }, s(9)).state).toBe(state);
    }
    expect(
      answered(buildClose({ state: "refused" }), { kind: "accepted", commandId: null }, s(9)).state,
    ).toBe("accepted");
  });

  test.each([
    [{ kind: "refused", status: 403, code: "forbidden", message: "no" }, "refused", "forbidden", false],
    [{ kind: "not-sent", message: "away" }, "not-sent", "upstream-down", false],
    [{ kind: "unknown", message: "timeout" }, "unknown", "no-answer", true],
  ] as const)("[CMD-4] %o says whether it may have been carried out", (result, answer, reason, may) => {
    const after = answered(sent, result, s(2));
    expect(after).toMatchObject({ state: "requested", acceptedAt: null, answer, reason, answeredAt: s(2) });
    expect(mayRun(after)).toBe(may);
  });

  test("[CMD-4] not-sent does not undo that an earlier send may have been carried out", () => {
    const lost = answered(sent, { kind: "unknown", message: "timeout" }, s(2));
    const again = answered(sending(lost, "command-1", s(5)), { kind: "not-sent", message: "away" }, s(6));
    expect(mayRun(again)).toBe(true);
  });
});

describe("a report", () => {
  const opening = buildOpen({ ...ACCEPTED, sentIds: ["command-1"] });
  const closing = buildClose({ ...ACCEPTED, sentIds: ["command-1"] });

  test("[CMD-1] of the target state, newer than the acceptance, proves the command", () => {
    const open = buildReport({ onoff: 1, at: s(2), runUntil: s(600) });
    expect(reported(opening, open, s(3)).proof).toBe("time");
    expect(reported(closing, buildReport({ onoff: 2, at: s(4.5) }), s(5)).proof).toBe("time");
    expect(reported(closing, buildReport({ onoff: 2, at: s(0.5) }), s(3)).proof).toBeNull();
  });

  test("[CMD-1] with our command's id proves the command, whatever its time", () => {
    const open = buildReport({ onoff: 1, commandId: "command-1", at: s(0.2) });
    expect(reported(opening, open, s(3)).proof).toBe("id");
  });

  test("[RUN-2] of an opening without an end of run shows that the device does not time itself", () => {
    const bare = buildReport({ onoff: 1, commandId: "command-1" });
    expect(reported(opening, bare, s(3))).toMatchObject({ proof: "id", timed: false });
    expect(reported(opening, { ...bare, runUntil: s(600) }, s(3))).toMatchObject({ timed: true });
  });

  test("[CMD-1] of a plain API proves by the second of two equal reads, and another state in between restarts the count", () => {
    const plain = buildOpen({ ...ACCEPTED, timed: false });
    const read = (onoff: 1 | 2, askedAt: number) => (intent: Intent) =>
      reported(intent, buildReport({ onoff, askedAt }), askedAt);
    const first = read(1, s(3))(plain);
    expect(first).toMatchObject({ firstRead: s(3), proof: null });
    expect(read(1, s(5.9))(first).proof).toBeNull();
    expect(read(1, s(6))(first).proof).toBe("api");
    const between = read(2, s(5))(first);
    expect(between.firstRead).toBeNull();
    expect(read(1, s(6))(between).proof).toBeNull();
  });

  test("[RUN-2] of a finished run starts its final read, and a report of open water cancels it", () => {
    const over = reported(running(), buildReport({ onoff: 2, at: s(100) }), s(101));
    expect(over).toMatchObject({ overSince: s(101) });
    expect(reported(over, buildReport({ onoff: 2, at: s(103) }), s(104))).toMatchObject({
      overSince: s(101),
    });
    expect(reported(over, buildReport({ onoff: 1, at: s(105), runUntil: s(600) }), s(106))).toMatchObject({
      overSince: null,
    });
  });

  describe("[W-14] of open water after the end of a run", () => {
    const named = running({ proof: "id" });
    const over = reported(named, buildReport({ onoff: 2, at: s(600), commandId: "command-1" }), s(600));
    const OVER = { seen: null, lastSeenAt: null, awakeSince: 0 };

    test("is the run of a mode: this one is over, and closes nothing", () => {
      const mode = reported(over, buildReport({ onoff: 1, at: s(620), runUntil: s(800) }), s(620));
      expect(nextAction(mode, OVER, s(620))).toEqual({ do: "forget" });
    });

    test("is another party's without an end of its own", () => {
      const hand = reported(over, buildReport({ onoff: 1, at: s(620) }), s(620));
      expect(nextAction(hand, OVER, s(620))).toEqual({ do: "forget" });
    });

    test("is another run by its later end, also where the closed state between was not seen", () => {
      const mode = reported(named, buildReport({ onoff: 1, at: s(620), runUntil: s(800) }), s(620));
      expect(nextAction(mode, OVER, s(620))).toEqual({ do: "forget" });
    });

    const unanswered: Partial<OpenIntent> = {
      ...{ sends: 1, sentIds: ["command-1"], firstSentAt: PRESSED, lastSentAt: PRESSED, answeredAt: s(8) },
      ...{ answer: "unknown", mayHaveRun: true, state: "unconfirmed" },
    };
    const openings: readonly [string, OpenIntent][] = [
      ["named by the controller", named],
      ["proven by its time", running()],
      ["unanswered", buildOpen(unanswered)],
      ["accepted, and never reported", buildOpen({ ...ACCEPTED, state: "unconfirmed" })],
      ["refused, and only the end of the run before", buildOpen({ state: "refused", mayHaveRun: true })],
    ];
    const times = [400, 580, 599].flatMap((closedAt) => [600, 604, 609, 620].map((at) => [closedAt, at]));
    const cases = openings.flatMap(([name, opening]): [string, OpenIntent][] => [
      [name, opening],
      [`${name}, before the clock was set`, { ...opening, timesDoubtful: true }],
    ]);
    test.each(cases)("is not closed with an opening that was %s", (_name, opening) => {
      for (const [closedAt = 0, openedAt = 0] of times) {
        const closed = buildReport({ onoff: 2, at: s(closedAt), askedAt: s(closedAt) });
        const before = reported(opening, closed, s(closedAt));
        const open = {
          onoff: 1,
          at: s(openedAt),
          askedAt: s(openedAt),
          runUntil: s(openedAt + 240),
        } as const;
        const mode = buildReport({ ...open, activeMode: "period" });
        const after = reported(before, mode, s(openedAt));
        const seen = { seen: buildSeen(mode), lastSeenAt: s(openedAt), awakeSince: 0 };
        for (let now = openedAt; now < openedAt + 60; now += 1)
          expect(nextAction(after, seen, s(now)).do).not.toBe("close-run");
      }
    });

    test("of an unanswered opening is its own while it may still be carried out, and where it names it", () => {
      const opening = buildOpen(unanswered);
      const early = reported(opening, buildReport({ onoff: 2, at: s(24), askedAt: s(24) }), s(24));
      expect(early.want === "open" && early.overSince).toBeNull();
      const closed = reported(opening, buildReport({ onoff: 2, at: s(30), askedAt: s(30) }), s(30));
      expect(closed).toMatchObject({ overSince: s(30), state: "unconfirmed" });
      const own = { onoff: 1, at: s(40), askedAt: s(40), runUntil: s(600), commandId: "command-1" } as const;
      const named = reported(closed, buildReport(own), s(40));
      expect(named).toMatchObject({ overSince: null, proof: "id" });
      expect(nextAction({ ...named, state: "confirmed" }, OVER, s(610))).toEqual({ do: "close-run" });
    });

    test("keeps an opening without an answer on the screens until its end", () => {
      const opening = buildOpen({ ...ACCEPTED, state: "unconfirmed", overSince: s(30), readAt: s(598) });
      expect(nextAction(opening, OVER, s(599)).do).toBe("wait");
      expect(nextAction(opening, OVER, s(610))).toEqual({ do: "forget" });
    });

    test("is this run where it names it, or where a copy of its opening may still arrive", () => {
      const seen = (change: Partial<ChannelReport>) => ({ ...OVER, seen: buildSeen(change) });
      const own = { onoff: 1, at: s(620), askedAt: s(620), commandId: "command-1" } as const;
      expect(nextAction(reported(over, buildReport(own), s(620)), seen(own), s(620))).toEqual({
        do: "close-run",
      });
      const plain = { ...over, timed: false, expires: false };
      const open = { onoff: 1, at: s(620), askedAt: s(620) } as const;
      expect(nextAction(reported(plain, buildReport(open), s(620)), seen(open), s(620))).toEqual({
        do: "close-run",
      });
    });
  });

  test("[RUN-2] of closed also ends the run that a refused extension left behind", () => {
    const guard = buildOpen({ state: "refused", sends: 1, answer: "refused", mayHaveRun: true });
    const over = reported(guard, buildReport({ onoff: 2, at: s(50) }), s(51));
    expect(over).toMatchObject({ overSince: s(51), proof: null });
    expect(reported(over, buildReport({ onoff: 1, at: s(52) }), s(53))).toMatchObject({ overSince: null });
  });

  describe("of open water after a proven close", () => {
    const closed = buildClose({
      ...ACCEPTED,
      state: "confirmed",
      proof: "time",
      earlierOpens: { commandIds: ["command-0"], expiresAt: s(20) },
    });
    const open = buildReport({ onoff: 1, at: s(5) });

    test("[CMD-4] is attributed to a superseded opening by its id only", () => {
      expect(reported(closed, { ...open, commandId: "command-0" }, s(6))).toMatchObject({ reopened: true });
      expect(reported(closed, open, s(6))).toMatchObject({ reopened: true });
    });

    test("[CMD-4] is left alone if another person or a mode has opened the valve", () => {
      expect(reported(closed, { ...open, commandId: "other" }, s(6))).toMatchObject({ reopened: false });
      expect(reported(closed, { ...open, activeMode: "automatic" }, s(6))).toMatchObject({ reopened: false });
      const alone = { ...closed, earlierOpens: null };
      expect(reported(alone, open, s(6))).toMatchObject({ reopened: false });
    });
  });

  test("[CMD-2] with an unknown valve state changes nothing", () => {
    const unknown = buildReport({ onoff: 0, at: s(2) });
    for (const intent of [opening, closing, running()])
      expect(reported(intent, unknown, s(3))).toEqual(intent);
  });
});

describe("an end", () => {
  test("[RUN-2] of an opening certainly not carried out restores the previous run", () => {
    const extension = buildOpen({ sends: 1, answer: "refused", until: s(900), fallbackUntil: s(120) });
    const guard = ended(extension, "refused");
    expect(guard).toMatchObject({ state: "refused", until: s(120) });
    expect(mayRun(guard)).toBe(true);
    expect(ended({ ...extension, fallbackUntil: null }, "refused")).toMatchObject({ until: s(900) });
  });

  test("[RUN-2] of an opening that may have been carried out keeps its own end", () => {
    const ghost = buildOpen({ ...ACCEPTED, until: s(900), fallbackUntil: s(120) });
    expect(ended(ghost, "unconfirmed")).toMatchObject({ state: "unconfirmed", until: s(900) });
  });
});

describe("a restart", () => {
  test("[RUN-3] turns an awaited answer into one of unknown fate", () => {
    const sent = sending(buildClose(), "command-1", s(0));
    const after = resumed(sent, s(30));
    expect(after).toMatchObject({ answer: "unknown", answeredAt: s(30), sends: 1 });
    expect(mayRun(after)).toBe(true);
    const settled = buildClose(ACCEPTED);
    expect(resumed(settled, s(30))).toEqual(settled);
  });

  test("[CRED-2] removes the user's token, so no opening is sent again", () => {
    expect(resumed(buildOpen(), s(1))).toMatchObject({ mayResend: false });
  });
});

describe("a clock change", () => {
  const JUMP = -7_200_000;

  test("[RUN-4] a close that was stored before a restart is sent again although the clock is behind its last send", () => {
    const sent = buildClose({ ...ACCEPTED, lastSentAt: s(5) });
    const now = s(5) + JUMP;
    expect(notAhead(sent, now)).toMatchObject({ at: sent.at + JUMP, lastSentAt: now });
    expect(notAhead(sent, s(5))).toBe(sent);
  });

  test("[RUN-4] shifts every time of an opening by the same amount, and no duration", () => {
    const open = buildOpen({
      ...ACCEPTED,
      fallbackUntil: s(120),
      readAt: s(3),
      firstRead: s(4),
      overSince: s(5),
      earlierOpens: { commandIds: ["command-0"], expiresAt: s(20) },
    });
    expect(shifted(open, JUMP)).toEqual({
      ...open,
      at: open.at + JUMP,
      until: open.until + JUMP,
      fallbackUntil: s(120) + JUMP,
      acceptedAt: s(1) + JUMP,
      answeredAt: s(1) + JUMP,
      firstSentAt: s(0) + JUMP,
      lastSentAt: s(0) + JUMP,
      readAt: s(3) + JUMP,
      firstRead: s(4) + JUMP,
      overSince: s(5) + JUMP,
      earlierOpens: { commandIds: ["command-0"], expiresAt: s(20) + JUMP },
      timesDoubtful: true,
    });
  });

  test("[RUN-4] keeps missing times missing, and trusts the times of an unsent intent", () => {
    expect(shifted(buildOpen(), JUMP)).toEqual(buildOpen({ at: PRESSED + JUMP, until: s(600) + JUMP }));
    expect(shifted(buildClose(), JUMP)).toEqual(buildClose({ at: PRESSED + JUMP }));
  });
});
