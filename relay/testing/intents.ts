import type { ChannelReport, Seen } from "../src/account/channel-report.ts";
import type { CloseIntent, OpenIntent } from "../src/valves/intent.ts";
import type { Command } from "../src/valves/intent-steps.ts";

/** Time of every command, ms UTC; all times of these intents are relative to it. */
export const PRESSED = Date.UTC(2026, 10, 21, 3, 0, 0);

/** Return the time so many seconds after the command. */
export const s = (seconds: number): number => PRESSED + seconds * 1_000;

export function buildCommand(change: Partial<Command> = {}): Command {
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

/** Build an opening of ten minutes that was not sent yet, in front of an API that times runs. */
export function buildOpen(change: Partial<OpenIntent> = {}): OpenIntent {
  return {
    ...buildCommand(),
    ...unsent,
    sentIds: [],
    want: "open",
    until: s(600),
    fallbackUntil: null,
    timed: true,
    runUntilBefore: null,
    mayResend: true,
    overSince: null,
    expires: true,
    shownClosed: false,
    ...change,
  };
}

/** Build a person's close that was not sent yet. */
export function buildClose(change: Partial<CloseIntent> = {}): CloseIntent {
  return {
    ...buildCommand(),
    ...unsent,
    sentIds: [],
    want: "close",
    why: "pressed",
    reopened: false,
    shownOpen: false,
    ...change,
  };
}

/** The changes of an intent that was sent once at its command and accepted a second later. */
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

/** A poll's answer arrives this long after its request, ms. */
const ANSWER_MS = 50;

/** Build a bare report of a plain API; the test sets its times. */
export function buildReport(change: Partial<ChannelReport> = {}): ChannelReport {
  const via = change.via ?? "poll";
  const askedAt = change.askedAt ?? PRESSED;
  return {
    onoff: 2,
    at: null,
    heardAt: null,
    commandId: null,
    runUntil: null,
    via,
    isLive: false,
    askedAt,
    arrival: null,
    order: { begun: askedAt, arrived: askedAt + (via === "poll" ? ANSWER_MS : 0) },
    activeMode: "none",
    isLost: false,
    ...change,
  };
}

/** Build a report as it reached the relay; a poll's answer arrives 50 ms after its request. */
export function buildSeen(change: Partial<ChannelReport> = {}, arrivedAt?: number): Seen {
  const built = buildReport(change);
  const order = { begun: built.askedAt, arrived: arrivedAt ?? built.order.arrived };
  const report = { ...built, order };
  return { report, arrivedAt: order.arrived, row: null };
}
