import type { Metrics, Transport, TransportTally } from "../src/runtime/metrics.ts";

/** Metrics that count into plain objects. */
export interface FakeMetrics extends Metrics {
  readonly ended: { transport: Transport; code: number }[];
  readonly calls: { unit: string; outcome: string }[];
  readonly catchUps: { by: string; cause: string }[];
  readonly refused: string[];
}

export function createFakeMetrics(): FakeMetrics {
  const tally = (): TransportTally => ({ sessions: 0, slow: 0, frames: 0, bytes: 0 });
  const tallies = { websocket: tally(), socketio: tally() };
  const fake: FakeMetrics = {
    ended: [],
    calls: [],
    catchUps: [],
    refused: [],
    tally: (transport) => tallies[transport],
    sessionEnded: (transport, code) => void fake.ended.push({ transport, code }),
    upstreamCall: (unit, outcome) => void fake.calls.push({ unit, outcome }),
    command: () => undefined,
    availability: () => undefined,
    oddFields: () => undefined,
    sourceMessage: () => undefined,
    flushed: () => undefined,
    ownerTrouble: () => undefined,
    caughtUp: (by, cause) => void fake.catchUps.push({ by, cause }),
    connectionRefused: (reason) => void fake.refused.push(reason),
  };
  return fake;
}
