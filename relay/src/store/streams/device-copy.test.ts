import { expect, test } from "vitest";
import { createStreamDeliveries } from "../../gateway/stream-delivery.ts";
import { emptyState, type VersionedState } from "../changes-since.ts";
import type { StateValue } from "../streams.ts";
import { createDeviceCopy } from "./device-copy.ts";

const PART_BYTES = 64 * 1024;

function stateAt(epoch: string, offset: number, values: Record<string, StateValue>): VersionedState {
  const state = { ...emptyState(epoch), offset };
  for (const [key, value] of Object.entries(values)) state.values.set(key, { value, offset });
  return state;
}

/** Create a session at offset 1 of epoch `e1`, with the notifications it receives when the copy moves. */
function sessionAt(keys?: ReadonlySet<string>) {
  const copy = createDeviceCopy("e1", (error) => {
    throw error;
  });
  copy.fill(stateAt("e1", 1, { "sensor:1": { n: 1 }, "sensor:2": { n: 1 } }));
  const limits = { partBytes: PART_BYTES, eventPage: 100 };
  const feed = createStreamDeliveries(limits, () => undefined).state("devices", copy.stream, {
    ...{ t: "subscribe", stream: "devices", position: { epoch: "e1", offset: 1 } },
    ...(keys && { track: [...keys] }),
  });
  while (feed.next() !== null) {
    // The answer to its subscribe is not examined.
  }
  const reported: unknown[] = [];
  copy.stream.listen((frame) => {
    const message = feed.messageOf(frame);
    if (message) reported.push("the frame itself");
    for (let next = feed.next(); next !== null; next = feed.next())
      reported.push(JSON.parse(next.bytes.toString()));
  });
  return { copy, reported };
}

test.each([["everything", undefined] as const, ["one key", new Set(["sensor:1"])] as const])(
  "[SUB-3] a copy that was filled again catches a session up that looks at %s",
  (_, keys) => {
    const { copy, reported } = sessionAt(keys);
    const next = stateAt("e1", 4, { "sensor:1": { n: 4 } });
    next.values.set("sensor:2", { value: { n: 1 }, offset: 1 });
    copy.fill(next);
    expect(reported).toMatchObject([{ t: "change", from: 1, offset: 4, set: { "sensor:1": { n: 4 } } }]);
  },
);

test.each([["everything", undefined] as const, ["one key", new Set(["sensor:1"])] as const])(
  "[NODE-2] another epoch is a snapshot at once, for a session that looks at %s",
  (_, keys) => {
    const { copy, reported } = sessionAt(keys);
    copy.begin("e2", new Map([["sensor:1", { n: 9 }]]));
    expect(reported).toMatchObject([
      { t: "snapshot", epoch: "e2", offset: 0, state: { "sensor:1": { n: 9 } } },
    ]);
  },
);

test("[SUB-2] filling a copy with its own content sends nothing", () => {
  const { copy, reported } = sessionAt();
  copy.fill(stateAt("e1", 1, { "sensor:1": { n: 1 } }));
  expect(reported).toEqual([]);
});
