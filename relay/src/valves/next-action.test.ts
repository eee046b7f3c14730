import { describe, expect, test } from "vitest";
import { ACCEPTED, buildClose, buildOpen, buildSeen, s } from "../../testing/intents.ts";
import type { ChannelReport } from "../account/channel-report.ts";
import { type CloseIntent, closesAt, type Intent } from "./intent.ts";
import { answered, ended, sending } from "./intent-steps.ts";
import { type Action, nextAction, type Reported } from "./next-action.ts";

const NOTHING: Reported = { seen: null, lastSeenAt: null, awakeSince: 0 };
const shown = (onoff: 1 | 2, askedAt: number): Reported => ({
  ...NOTHING,
  seen: buildSeen({ onoff, askedAt }),
});

interface Played {
  /** The actions, each with the seconds after the command. */
  readonly done: [seconds: number, what: Action["do"]][];
  readonly intent: Intent;
}

/**
 * Execute the decisions and advance to the time of each `wait`, for the given number of seconds.
 *
 * @param answers the farm API's immediate answer to each send; `silent` never answers
 */
function play(
  intent: Intent,
  seconds: number,
  answers: "accepted" | "not-sent" | "unknown" | "silent",
  reported: (now: number) => Reported = () => NOTHING,
): Played {
  const done: Played["done"] = [];
  let now = intent.at;
  let current = intent;
  const answer = (to: "accepted" | "not-sent" | "unknown") =>
    answered(current, to === "accepted" ? { kind: to, commandId: null } : { kind: to, message: "" }, now);
  const send = (): Intent => {
    current = sending(current, `${current.commandId}-${current.sends}`, now);
    return answers === "silent" ? current : answer(answers);
  };
  while (now <= s(seconds)) {
    const action = nextAction(current, reported(now), now);
    if (action.do === "wait") {
      if (action.until <= now) throw new Error(`waits for the past, ${action.until}`);
      now = action.until;
      continue;
    }
    done.push([(now - intent.at) / 1_000, action.do]);
    if (done.length > 500) throw new Error("does not come to rest");
    if (action.do === "send-open" || action.do === "send-close") current = send();
    else if (action.do === "read") current = { ...current, readAt: now };
    else if (action.do === "answer-lost") current = answer("unknown");
    else if (action.do === "end") current = ended(current, action.as);
    else if (action.do === "confirm") current = { ...current, state: "confirmed" };
    else break;
  }
  return { done, intent: current };
}

const secondsOf = (played: Played, what: Action["do"]): number[] =>
  played.done.filter(([, did]) => did === what).map(([seconds]) => seconds);

describe("an opening", () => {
  test.each([
    [0, 600],
    [0.001, 600],
    [2.5, 598],
    [14.999, 586],
  ])(
    "[CMD-4] sent %d s after the command carries the %d s that remain, and expires 25 s after the command",
    (after, remainingSeconds) => {
      expect(nextAction(buildOpen(), NOTHING, s(after))).toEqual({
        do: "send-open",
        remainingSeconds,
        expiresAt: s(25),
      });
    },
  );

  test("[CMD-4] is never sent 15 s after the command or later", () => {
    expect(nextAction(buildOpen(), NOTHING, s(15))).toEqual({ do: "end", as: "failed" });
  });

  test("[CMD-4] is never sent at its end or later, even if that is before 15 s", () => {
    const short = buildOpen({ until: s(4) });
    expect(nextAction(short, NOTHING, s(3.5))).toMatchObject({ do: "send-open", remainingSeconds: 1 });
    expect(nextAction(short, NOTHING, s(4))).toEqual({ do: "end", as: "failed" });
  });

  test("[CMD-4] that is not sent is attempted at most 3 times, 3 s apart, and then fails", () => {
    expect(play(buildOpen(), 300, "not-sent").done).toEqual([
      [0, "send-open"],
      [3, "send-open"],
      [6, "send-open"],
      [6, "end"],
      [6, "forget"],
    ]);
    const turnedAway = { sends: 3, lastSentAt: s(6), answer: "not-sent", answeredAt: s(6) } as const;
    expect(nextAction(buildOpen(turnedAway), NOTHING, s(6))).toEqual({ do: "end", as: "failed" });
  });

  test("[CMD-4] that slowly turns out not sent is not attempted again after 15 s", () => {
    const slow = buildOpen({ sends: 2, lastSentAt: s(13), answer: "not-sent", answeredAt: s(14) });
    expect(nextAction(slow, NOTHING, s(14))).toEqual({ do: "wait", until: s(15) });
    expect(nextAction(slow, NOTHING, s(15))).toEqual({ do: "end", as: "failed" });
  });

  test("[CRED-2] without the user's token is not sent at all", () => {
    expect(nextAction(buildOpen({ mayResend: false }), NOTHING, s(1))).toEqual({ do: "end", as: "failed" });
  });

  test("[CMD-4] is not sent again while its answer is outstanding, which counts as lost after 8 s", () => {
    const waiting = buildOpen({ sends: 1, firstSentAt: s(0), lastSentAt: s(0), answer: "waiting" });
    expect(nextAction(waiting, NOTHING, s(0))).toEqual({ do: "wait", until: s(8) });
    expect(nextAction(waiting, NOTHING, s(7.999))).toMatchObject({ do: "wait" });
    expect(nextAction(waiting, NOTHING, s(8))).toEqual({ do: "answer-lost" });
  });

  describe("of unknown fate", () => {
    const unknown = buildOpen({
      sends: 1,
      firstSentAt: s(0),
      lastSentAt: s(0),
      answer: "unknown",
      answeredAt: s(4),
      mayHaveRun: true,
    });

    test("[CMD-4] is read first, every 2 s until a report arrives, and not sent again", () => {
      expect(nextAction(unknown, NOTHING, s(4))).toEqual({ do: "read" });
      expect(nextAction({ ...unknown, readAt: s(4) }, NOTHING, s(4))).toEqual({ do: "wait", until: s(6) });
      expect(nextAction({ ...unknown, readAt: s(4) }, NOTHING, s(6))).toEqual({ do: "read" });
      const played = play(buildOpen(), 40, "unknown");
      expect(secondsOf(played, "send-open")).toEqual([0]);
      expect(secondsOf(played, "read").slice(0, 4)).toEqual([0, 2, 4, 6]);
    });

    test("[CMD-4] is sent again once a read started after the answer shows it closed", () => {
      expect(nextAction(unknown, shown(2, s(4)), s(4.1))).toMatchObject({
        do: "send-open",
        remainingSeconds: 596,
      });
    });

    test("[CMD-4] is not sent again for a read started before the answer", () => {
      expect(nextAction(unknown, shown(2, s(3.9)), s(4.1))).toEqual({ do: "read" });
    });

    test("[CMD-4] is not sent again for a message about a time before the answer, whenever it arrives", () => {
      const late = buildSeen({ onoff: 2, via: "mqtt", at: s(3), askedAt: s(5) });
      expect(nextAction(unknown, { ...NOTHING, seen: late }, s(5))).toEqual({ do: "read" });
      const fresh = buildSeen({ onoff: 2, via: "mqtt", at: s(4.5), askedAt: s(5) });
      expect(nextAction(unknown, { ...NOTHING, seen: fresh }, s(5))).toMatchObject({ do: "send-open" });
    });

    test("[CMD-4] is not sent again when it is shown open, but read until it is proven", () => {
      const { done } = play({ ...unknown, at: s(0) }, 59, "accepted", () => shown(1, s(4)));
      expect(new Set(done.map(([, what]) => what))).toEqual(new Set(["read"]));
      const open = shown(1, s(4));
      expect(nextAction({ ...unknown, readAt: s(4) }, open, s(4.5))).toEqual({ do: "wait", until: s(5.2) });
    });

    test("[CMD-4] waits 3 s between two sends, even if the read is fast", () => {
      const quick = { ...unknown, answeredAt: s(1) };
      expect(nextAction(quick, shown(2, s(1.5)), s(1.6))).toEqual({ do: "wait", until: s(3) });
      expect(nextAction(quick, shown(2, s(1.5)), s(3))).toMatchObject({ do: "send-open" });
    });

    test("[CMD-1] ends as unconfirmed 60 s after the command, not as failed", () => {
      expect(nextAction({ ...unknown, readAt: s(58) }, NOTHING, s(59.999))).toMatchObject({ do: "wait" });
      expect(nextAction(unknown, NOTHING, s(60))).toEqual({ do: "end", as: "unconfirmed" });
    });
  });

  test("[CMD-1] that the API refused ends as refused at once", () => {
    const refused = buildOpen({ sends: 1, lastSentAt: s(0), answer: "refused", answeredAt: s(1) });
    expect(nextAction(refused, NOTHING, s(1))).toEqual({ do: "end", as: "refused" });
  });

  test("[CMD-1] that is proven is confirmed first, also after its end", () => {
    for (const now of [s(2), s(20), s(3_600)]) {
      expect(nextAction(buildOpen({ ...ACCEPTED, proof: "id" }), NOTHING, now)).toEqual({ do: "confirm" });
    }
  });

  test("[CMD-1] that is accepted and never shown ends as unconfirmed 60 s after the acceptance", () => {
    const accepted = buildOpen(ACCEPTED);
    expect(nextAction({ ...accepted, readAt: s(59) }, NOTHING, s(60.999))).toMatchObject({ do: "wait" });
    expect(nextAction(accepted, NOTHING, s(61))).toEqual({ do: "end", as: "unconfirmed" });
  });

  test("[POLL-6] that is accepted is read after 2 s, then with growing gaps, until a report shows it", () => {
    const accepted = buildOpen({ ...ACCEPTED, answeredAt: s(0), acceptedAt: s(0) });
    const reads = secondsOf(play(accepted, 59, "accepted"), "read");
    expect(reads[0]).toBe(2);
    const gaps = reads.slice(1).map((at, index) => at - (reads[index] ?? 0));
    expect(gaps.length).toBeGreaterThanOrEqual(6);
    const growing = gaps.slice(0, -1);
    expect(growing).toEqual([...growing].sort((a, b) => a - b));
    expect(secondsOf(play(accepted, 400, "accepted"), "send-open")).toEqual([]);
  });

  test("[CMD-5] that is unconfirmed is read every 15 s until its end", () => {
    const unconfirmed = buildOpen({ ...ACCEPTED, state: "unconfirmed", readAt: s(60) });
    expect(nextAction(unconfirmed, NOTHING, s(74.999))).toEqual({ do: "wait", until: s(75) });
    expect(nextAction(unconfirmed, NOTHING, s(75))).toEqual({ do: "read" });
  });
});

describe("the end of a run", () => {
  const running = buildOpen({ ...ACCEPTED, state: "confirmed", proof: "time" });

  test("[RUN-2] timed by the device is closed by the relay 10 s after it", () => {
    expect(nextAction(running, NOTHING, s(600))).toEqual({ do: "wait", until: s(610) });
    expect(nextAction(running, NOTHING, s(609.999))).toMatchObject({ do: "wait" });
    expect(nextAction(running, NOTHING, s(610))).toEqual({ do: "close-run" });
  });

  test("[RUN-2] timed by the relay only is closed at the end itself", () => {
    const untimed = { ...running, timed: false };
    expect(nextAction(untimed, NOTHING, s(599.999))).toEqual({ do: "wait", until: s(600) });
    expect(nextAction(untimed, NOTHING, s(600))).toEqual({ do: "close-run" });
  });

  test.each(["unconfirmed", "failed", "refused"] as const)(
    "[CMD-4] of an opening that is %s but may have happened is closed all the same",
    (state) => {
      const ghost = buildOpen({ ...ACCEPTED, state, acceptedAt: null, answer: "unknown", timed: false });
      expect(nextAction({ ...ghost, readAt: s(599) }, NOTHING, s(599))).toMatchObject({ do: "wait" });
      expect(nextAction(ghost, NOTHING, s(600))).toEqual({ do: "close-run" });
    },
  );

  test("[CMD-0] of an opening certainly not carried out needs no action", () => {
    expect(nextAction(buildOpen({ state: "failed" }), NOTHING, s(2))).toEqual({ do: "forget" });
  });

  test("[CMD-1] before the confirmation ends the command first: unconfirmed, or failed if never sent", () => {
    const short = buildOpen({ ...ACCEPTED, until: s(10), timed: false });
    expect(nextAction(short, NOTHING, s(10))).toEqual({ do: "end", as: "unconfirmed" });
    const unsent = buildOpen({ until: s(10), timed: false, sends: 1, lastSentAt: s(9), answer: "not-sent" });
    expect(nextAction(unsent, NOTHING, s(10))).toEqual({ do: "end", as: "failed" });
  });

  test("[RUN-2] sends no close to a valve reported closed after any opening could still arrive", () => {
    const unconfirmed = buildOpen({ ...ACCEPTED, state: "unconfirmed", timed: false });
    expect(nextAction(unconfirmed, shown(2, s(25)), s(600))).toEqual({ do: "forget" });
    expect(nextAction(unconfirmed, shown(2, s(24)), s(600))).toEqual({ do: "close-run" });
    expect(nextAction(unconfirmed, shown(1, s(300)), s(600))).toEqual({ do: "close-run" });
  });

  test("[RUN-2] uses the report's own time, on the store's clock, if it has one", () => {
    const offset = buildOpen({ ...ACCEPTED, state: "unconfirmed", timed: false, offsetMs: 90_000 });
    const say = (at: number): Reported => ({
      seen: buildSeen({ at, heardAt: at, via: "mqtt", askedAt: s(300) }),
      lastSeenAt: null,
      awakeSince: 0,
    });
    expect(nextAction(offset, say(s(25) + 90_000), s(600))).toEqual({ do: "forget" });
    expect(nextAction(offset, say(s(25) + 89_999), s(600))).toEqual({ do: "close-run" });
    const doubtful = { ...offset, timesDoubtful: true };
    expect(nextAction(doubtful, say(s(500)), s(600))).toEqual({ do: "close-run" });
  });

  test("[RUN-2] reported by the valve is accepted after one more read, when no sent opening can open it any more", () => {
    const over = { ...running, overSince: s(590) };
    expect(nextAction(over, NOTHING, s(590))).toEqual({ do: "read" });
    expect(nextAction({ ...over, readAt: s(590) }, NOTHING, s(590))).toEqual({ do: "wait", until: s(620) });
    expect(nextAction({ ...over, readAt: s(590) }, NOTHING, s(620))).toEqual({ do: "forget" });
  });
});

describe("a close", () => {
  test("[CMD-4] is sent in every state of the valve and its controller", () => {
    const lost: Reported = {
      ...NOTHING,
      seen: buildSeen({ onoff: 0, askedAt: s(-60) }),
      lastSeenAt: s(-3_600),
    };
    for (const reported of [NOTHING, shown(1, s(-1)), shown(2, s(-1)), lost]) {
      expect(nextAction(buildClose(), reported, s(0))).toEqual({ do: "send-close" });
    }
  });

  test.each(["accepted", "not-sent", "unknown"] as const)(
    "[CMD-4] that is %s is repeated after 2, 5, 10, 20 and 40 s, then every 60 s",
    (answers) => {
      const sent = secondsOf(play(buildClose(), 380, answers), "send-close");
      expect(sent).toEqual([0, 2, 7, 17, 37, 77, 137, 197, 257, 317, 377]);
    },
  );

  test("[CMD-4] without any answer is repeated all the same", () => {
    const sent = secondsOf(play(buildClose(), 100, "silent"), "send-close");
    expect(sent).toEqual([0, 8, 16, 26, 46, 86]);
  });

  test("[CMD-4] is repeated without end while the valve is not shown closed", () => {
    const day = 24 * 3_600;
    const old = buildClose({
      ...ACCEPTED,
      state: "unconfirmed",
      sends: 900,
      lastSentAt: s(2 * day),
      readAt: s(2 * day),
    });
    for (const reported of [NOTHING, shown(1, s(2 * day))]) {
      expect(nextAction(old, reported, s(2 * day + 60))).toEqual({ do: "send-close" });
    }
    expect(nextAction(old, shown(2, s(-1)), s(2 * day + 60))).toEqual({ do: "forget" });
  });

  test("[CMD-4] is sent at once when the controller reports, but not twice within 10 s", () => {
    const repeated = buildClose({
      ...ACCEPTED,
      state: "unconfirmed",
      sends: 7,
      lastSentAt: s(200),
      readAt: s(229),
    });
    const reportedAt = (at: number): Reported => ({ ...NOTHING, lastSeenAt: at });
    expect(nextAction(repeated, reportedAt(s(199)), s(230))).toMatchObject({ do: "wait" });
    expect(nextAction(repeated, reportedAt(s(230)), s(230))).toEqual({ do: "send-close" });
    const early = { ...repeated, readAt: s(205) };
    expect(nextAction(early, reportedAt(s(205)), s(205))).toEqual({ do: "wait", until: s(210) });
    expect(nextAction(early, reportedAt(s(205)), s(210))).toEqual({ do: "send-close" });
  });

  test("[CMD-1] becomes unconfirmed 60 s after the acceptance, and continues", () => {
    const { done, intent } = play(buildClose(), 80, "accepted");
    expect(done).toContainEqual([60, "end"]);
    expect(intent.state).toBe("unconfirmed");
    expect(done.at(-1)?.[0]).toBeGreaterThan(60);
    expect(done.filter(([at, what]) => at > 60 && what === "send-close")).toEqual([[77, "send-close"]]);
  });

  test("[CRED-1] refused for both credentials ends as refused, but not after the first", () => {
    const refused = { sends: 1, lastSentAt: s(0), answer: "refused", answeredAt: s(0.1) } as const;
    expect(nextAction(buildClose(refused), NOTHING, s(0.1))).toEqual({ do: "wait", until: s(2) });
    expect(nextAction(buildClose({ ...refused, sends: 2, lastSentAt: s(2) }), NOTHING, s(2.1))).toEqual({
      do: "end",
      as: "refused",
    });
  });

  test("[CMD-4] that was refused is repeated like any other", () => {
    const refused = buildClose({
      state: "refused",
      sends: 2,
      lastSentAt: s(2),
      answer: "refused",
      readAt: s(3),
    });
    expect(nextAction(refused, NOTHING, s(7))).toEqual({ do: "send-close" });
  });

  test("[CMD-4] ends once closed is proven, and then does not counteract a mode", () => {
    const closed = buildClose({ ...ACCEPTED, proof: "time" });
    expect(nextAction(closed, shown(2, s(2)), s(2))).toEqual({ do: "confirm" });
    const confirmed = { ...closed, state: "confirmed" } as const;
    expect(nextAction(confirmed, shown(2, s(2)), s(2))).toEqual({ do: "forget" });
    expect(nextAction(confirmed, shown(1, s(3)), s(3))).toEqual({ do: "forget" });
  });

  describe("after an opening that may still be in flight", () => {
    const closed = buildClose({
      ...ACCEPTED,
      state: "confirmed",
      proof: "time",
      earlierOpens: { commandIds: ["command-0"], expiresAt: s(20) },
    });

    test("[CMD-4] watches until 5 s after the opening's expiry, reads once more, and only then forgets", () => {
      expect(nextAction(closed, shown(2, s(3)), s(3))).toEqual({ do: "wait", until: s(25) });
      expect(nextAction(closed, shown(2, s(3)), s(25))).toEqual({ do: "read" });
      expect(nextAction({ ...closed, readAt: s(25) }, shown(2, s(3)), s(25))).toEqual({
        do: "wait",
        until: s(40),
      });
      const looked = { ...closed, readAt: s(25) };
      const seenBy = (askedAt: number, arrivedAt: number): Reported => ({
        seen: buildSeen({ onoff: 2, askedAt }, arrivedAt),
        lastSeenAt: null,
        awakeSince: 0,
      });
      expect(nextAction(looked, seenBy(s(24.9), s(25.1)), s(25.1))).toMatchObject({ do: "wait" });
      // Times from before a clock change are meaningless: such a report has no arrival time.
      expect(nextAction(looked, seenBy(s(26), 0), s(26))).toMatchObject({ do: "wait" });
      expect(nextAction(looked, seenBy(s(25), s(25.1)), s(25.1))).toEqual({ do: "forget" });
    });

    test("[CMD-4] closes again when the opening arrives nevertheless", () => {
      expect(nextAction({ ...closed, reopened: true }, shown(1, s(10)), s(10))).toEqual({
        do: "close-again",
      });
    });

    test("[CMD-0] forgets after a day without any answer, so every intent ends", () => {
      expect(nextAction(closed, NOTHING, s(24 * 3_600))).toEqual({ do: "forget" });
    });
  });
});

describe("a decision", () => {
  test("[CMD-0] is a pure function: equal input gives an equal answer, and the intent is not modified", () => {
    for (const intent of [buildOpen(ACCEPTED), buildClose(ACCEPTED)]) {
      Object.freeze(intent);
      for (const now of [s(0), s(2), s(61), s(700)]) {
        expect(nextAction(intent, NOTHING, now)).toEqual(nextAction(intent, NOTHING, now));
      }
    }
  });

  test("[RUN-3] after a restart depends on the stored intent alone", () => {
    const running = buildOpen({ ...ACCEPTED, state: "confirmed", proof: "time", timed: false });
    const stored = structuredClone(running);
    expect(nextAction(stored, NOTHING, s(601))).toEqual({ do: "close-run" });
  });

  test("[RUN-2] looks first where this relay was not there at the end: messages may still wait", () => {
    const run = buildOpen({ ...ACCEPTED, state: "confirmed", proof: "time", timed: false });
    const end = closesAt(run);
    for (const wokeAt of [end - 1_999, end - 1, end, end + 30, end + 60_000]) {
      const now = Math.max(end, wokeAt);
      const awake = { ...NOTHING, awakeSince: wokeAt };
      expect(nextAction(run, awake, now)).toEqual({ do: "read" });
      const looked = { ...run, readAt: now };
      // It has waited since before the stop.
      const at = wokeAt + 30;
      const message = buildSeen({ onoff: 1, via: "mqtt", askedAt: Math.max(at, end) }, at);
      expect(nextAction(looked, { ...awake, seen: message }, now + 60).do).toBe("wait");
      const read = buildSeen({ onoff: 1, via: "poll", askedAt: now + 10 }, now + 60);
      expect(nextAction(looked, { ...awake, seen: read }, now + 60)).toEqual({ do: "close-run" });
    }
    const before = { ...NOTHING, awakeSince: end - 2_000 };
    expect(nextAction(run, before, end)).toEqual({ do: "close-run" });
  });

  test("[RUN-2] that comes late to the end of a run looks at the valve, every 2 s and for 30 s at most", () => {
    const runs = [
      buildOpen({ ...ACCEPTED, state: "confirmed", proof: "time", timed: false }),
      buildOpen({ ...ACCEPTED, state: "confirmed", proof: "id", timed: true }),
      buildOpen({ ...ACCEPTED, state: "unconfirmed", timed: false }),
    ];
    for (const run of runs) {
      const end = closesAt(run);
      const before = shown(1, end - 1);
      for (const lateMs of [0, 500, 1_999])
        expect(nextAction(run, before, end + lateMs)).toEqual({ do: "close-run" });
      for (const lateMs of [2_000, 9_000, 65_000, 3_600_000])
        for (const known of [NOTHING, before]) {
          const now = end + lateMs;
          const reported = { ...known, awakeSince: now };
          let looked: Intent = run;
          const reads: number[] = [];
          let closedAt: number | null = null;
          for (let at = now; closedAt === null && at <= now + 60_000; at += 500) {
            const action = nextAction(looked, reported, at);
            if (action.do === "read") {
              reads.push(at - now);
              looked = { ...looked, readAt: at };
            } else if (action.do === "close-run") closedAt = at - now;
            else expect(action).toEqual({ do: "wait", until: (looked.readAt ?? 0) + 2_000 });
          }
          expect({ reads, closedAt }).toEqual({
            reads: Array.from({ length: 15 }, (_, index) => index * 2_000),
            closedAt: 30_000,
          });
          const since = { ...shown(1, now + 100), awakeSince: now };
          expect(nextAction({ ...run, readAt: now }, since, now + 200)).toEqual({ do: "close-run" });
        }
    }
  });
});

describe("the close at the end of a run, while no report of closed was read", () => {
  /** Its run ended as it was sent; the device had reported that end, and times it itself. */
  const close = (change: Partial<CloseIntent> = {}): CloseIntent =>
    buildClose({ ...ACCEPTED, sentIds: ["relay-1"], why: "run-end", runUntilBefore: s(-10), ...change });
  /** A mode has opened the valve ten seconds later, for two minutes. */
  const ofMode = { onoff: 1, at: s(10), runUntil: s(130), commandId: "mode-1", askedAt: s(12) } as const;
  const doesFor = (intent: CloseIntent, report: Partial<ChannelReport>): Action["do"] =>
    nextAction(intent, { ...NOTHING, seen: buildSeen({ ...ofMode, ...report }) }, s(12.1)).do;

  type Case = [what: string, intent: Partial<CloseIntent>, report: Partial<ChannelReport>];
  test.each<Case>([
    ["of a mode", {}, {}],
    ["by an API that names no commands", {}, { commandId: null }],
    ["after a run whose end no report named", { runUntilBefore: null }, {}],
    ["by a farm API an hour ahead", { offsetMs: 3_600_000 }, { at: s(3_610), runUntil: s(3_730) }],
    ["while the close is unconfirmed", { state: "unconfirmed" }, {}],
    ["although an answer is awaited", { answer: "waiting" }, {}],
  ])("[RUN-2] leaves another run alone: %s", (_what, intent, report) => {
    expect(doesFor(close(intent), report)).toBe("leave-open");
  });

  test.each<Case>([
    ["that a person pressed", { why: "pressed" }, {}],
    ["of an opening that came late", { why: "late-open" }, {}],
    ["that no API has accepted", { acceptedAt: null, state: "requested", answer: "unknown" }, {}],
    ["whose clock was set meanwhile", { timesDoubtful: true }, {}],
    ["whose run the device still reports", { runUntilBefore: s(130) }, {}],
    ["whose run has an end a little later", {}, { runUntil: s(39) }],
    ["whose farm API's clock was set ahead meanwhile", {}, { at: s(3_610), runUntil: s(3_615) }],
    ["whose own copy opens", {}, { commandId: "relay-1" }],
    ["whose opening comes late", { earlierOpens: { commandIds: ["mode-1"], expiresAt: s(25) } }, {}],
    [
      "after an opening that may come at any time",
      {
        earlierOpens: {
          commandIds: [],
          expiresAt: s(9_000),
          press: { at: s(-600), by: { id: "u1", nickname: "Kim" }, sentAt: s(-600), expires: false },
        },
      },
      {},
    ],
    ["by a report without a time", {}, { at: null }],
    ["by a report without an end", {}, { runUntil: null }],
    ["by a report of a lost controller", {}, { isLost: true }],
  ])("[RUN-2] goes on with a close %s", (_what, intent, report) => {
    expect(doesFor(close(intent), report)).not.toBe("leave-open");
  });

  test("[RUN-2] goes on with a close stored by an earlier version, or requested without a report", () => {
    const { runUntilBefore: _, ...stored } = close();
    expect(doesFor(stored, {})).not.toBe("leave-open");
  });

  test("[RUN-2] sends it no more, and until then at its gaps", () => {
    const before = play(close(), 60, "accepted", () => shown(1, s(-20)));
    expect(secondsOf(before, "send-close")).toEqual([2, 7, 17, 37]);
    const since = (now: number) =>
      now < s(10) ? shown(1, s(-20)) : { ...NOTHING, seen: buildSeen({ ...ofMode, askedAt: now }) };
    const after = play(close(), 60, "accepted", since);
    expect(secondsOf(after, "send-close")).toEqual([2, 7]);
    expect(after.done.at(-1)?.[1]).toBe("leave-open");
  });
});
