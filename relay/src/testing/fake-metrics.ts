import type { Door, DoorTally, Metrics } from "../ports/metrics.ts";

/** Counts into plain objects. */
export interface FakeMetrics extends Metrics {
  readonly ended: { door: Door; code: number }[];
  readonly calls: { unit: string; outcome: string }[];
  readonly catchUps: { by: string; cause: string }[];
  readonly refused: string[];
}

export function createFakeMetrics(): FakeMetrics {
  const tally = (): DoorTally => ({ sessions: 0, slow: 0, frames: 0, bytes: 0 });
  const tallies = { websocket: tally(), socketio: tally() };
  const fake: FakeMetrics = {
    ended: [],
    calls: [],
    catchUps: [],
    refused: [],
    tally: (door) => tallies[door],
    sessionEnded: (door, code) => void fake.ended.push({ door, code }),
    upstreamCall: (unit, outcome) => void fake.calls.push({ unit, outcome }),
    command: () => undefined,
    breaker: () => undefined,
    sourceMessage: () => undefined,
    flushed: () => undefined,
    ownerTrouble: () => undefined,
    caughtUp: (by, cause) => void fake.catchUps.push({ by, cause }),
    connectionRefused: (reason) => void fake.refused.push(reason),
  };
  return fake;
}
