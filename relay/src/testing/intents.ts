import type { CloseIntent, OpenIntent } from "../core/intent.ts";
import type { Press } from "../core/intent-steps.ts";
import type { Seen } from "../core/report-order.ts";
import type { ChannelReport } from "../ports/channel-report.ts";

/** The moment of every press, ms UTC; all times of these intents are told from it. */
export const PRESSED = Date.UTC(2026, 10, 21, 3, 0, 0);

/** So many seconds after the press. */
export const s = (seconds: number): number => PRESSED + seconds * 1_000;

export function buildPress(change: Partial<Press> = {}): Press {
  return {
    channelKey: "channel:11",
    controllerId: "20000000-0000-4000-8000-000000000001",
    number: 1,
    form: "controller",
    runId: "run-1",
    commandId: "command-1",
    by: { id: "u1", nickname: "Kim" },
    origin: "screen",
    traceId: "trace-1",
    at: PRESSED,
    ...change,
  };
}

const unsent = {
  state: "requested",
  reason: null,
  acceptedAt: null,
  offsetMs: 0,
  sends: 0,
  firstSentAt: null,
  lastSentAt: null,
  sentIds: [],
  answer: "none",
  answeredAt: null,
  mayHaveRun: false,
  readAt: null,
  firstRead: null,
  proof: null,
  timesDoubtful: false,
  earlierOpens: null,
} as const;

/** An opening of ten minutes that nobody has sent yet, in front of an API that times runs. */
export function buildOpen(change: Partial<OpenIntent> = {}): OpenIntent {
  return {
    ...buildPress(),
    ...unsent,
    sentIds: [],
    want: "open",
    until: s(600),
    fallbackUntil: null,
    timed: true,
    runUntilBefore: null,
    mayResend: true,
    overSince: null,
    ...change,
  };
}

/** A person's close that nobody has sent yet. */
export function buildClose(change: Partial<CloseIntent> = {}): CloseIntent {
  return {
    ...buildPress(),
    ...unsent,
    sentIds: [],
    want: "close",
    why: "pressed",
    reopened: false,
    ...change,
  };
}

/** What an intent is after it was sent once at the press and accepted a second later. */
export const ACCEPTED = {
  state: "accepted",
  sends: 1,
  firstSentAt: PRESSED,
  lastSentAt: PRESSED,
  answer: "ok",
  answeredAt: s(1),
  acceptedAt: s(1),
  mayHaveRun: true,
} as const;

/** A bare report of a plain API; its times are the test's to give. */
export function buildReport(change: Partial<ChannelReport> = {}): ChannelReport {
  return {
    onoff: 2,
    at: null,
    heardAt: null,
    commandId: null,
    runUntil: null,
    via: "poll",
    askedAt: PRESSED,
    activeMode: "none",
    ...change,
  };
}

/** A report as it reached the relay; a poll's answer 50 ms after it was asked for. */
export function buildSeen(change: Partial<ChannelReport> = {}, arrivedAt?: number): Seen {
  const report = buildReport(change);
  return { report, arrivedAt: arrivedAt ?? report.askedAt + (report.via === "poll" ? 50 : 0) };
}
