import { expect, test } from "vitest";
import { createDeviceCopy } from "../store/streams/device-copy.ts";
import { createStreamDeliveries } from "./stream-delivery.ts";

const PART_BYTES = 64 * 1024;

/** Create a session at the beginning of an epoch. */
function atTheBeginning() {
  const copy = createDeviceCopy("e1", (error) => {
    throw error;
  });
  const catchUps: string[] = [];
  const deliveries = createStreamDeliveries(
    { partBytes: PART_BYTES, eventPage: 100 },
    (by, cause) => void catchUps.push(`${by} ${cause}`),
  );
  const position = { epoch: "e1", offset: 0 };
  const streamDelivery = deliveries.state("devices", copy.stream, {
    ...{ t: "subscribe", stream: "devices", position },
  });
  while (streamDelivery.next() !== null) {
    // Consume the answer to its subscribe.
  }
  const first = { from: 0, offset: 1, keys: ["farm:1"], bytes: Buffer.from('{"t":"change"}') };
  return { copy, streamDelivery, first, catchUps };
}

test("[SUB-3] sends the first frame of the session's own epoch as it is", () => {
  const { streamDelivery, first, catchUps } = atTheBeginning();
  expect(streamDelivery.messageOf(first)).not.toBeNull();
  expect(catchUps).toEqual(["resume subscribe"]);
});

test("[SUB-3] sends a snapshot for a new epoch, whose first frame does not continue the old one's beginning", () => {
  const { copy, streamDelivery, first, catchUps } = atTheBeginning();
  copy.begin("e2", new Map([["farm:1", { info: { id: 1 } }]]));
  expect(streamDelivery.messageOf(first)).toBeNull();
  expect(streamDelivery.current()).toBe(false);
  expect(JSON.parse(streamDelivery.next()?.bytes.toString() ?? "")).toMatchObject({
    t: "snapshot",
    epoch: "e2",
  });
  expect(catchUps.at(-1)).toBe("snapshot behind");
});
