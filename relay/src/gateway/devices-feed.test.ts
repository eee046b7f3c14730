import { expect, test } from "vitest";
import { createDeviceCopy } from "../streams/device-copy.ts";
import { createDevicesFeed } from "./devices-feed.ts";
import { createSnapshotCache } from "./snapshot-cache.ts";

const PART_BYTES = 64 * 1024;

/** A session that stands at the beginning of an epoch. */
function atTheBeginning() {
  const copy = createDeviceCopy("e1", (error) => {
    throw error;
  });
  const catchUps: string[] = [];
  const feed = createDevicesFeed({
    name: "devices",
    stream: copy.stream,
    position: { epoch: "e1", offset: 0 },
    keys: undefined,
    snapshots: createSnapshotCache(PART_BYTES),
    partBytes: PART_BYTES,
    onCatchUp: (by, cause) => void catchUps.push(`${by} ${cause}`),
  });
  while (feed.next() !== null) {
    // The answer to its subscribe is not looked at.
  }
  const first = { from: 0, offset: 1, keys: ["farm:1"], bytes: Buffer.from('{"t":"change"}') };
  return { copy, feed, first, catchUps };
}

test("[SUB-3] the first frame of its own epoch goes to a session as it is", () => {
  const { feed, first, catchUps } = atTheBeginning();
  expect(feed.take(first)).not.toBeNull();
  expect(catchUps).toEqual(["resume subscribe"]);
});

test("[SUB-3] the first frame of a new epoch is no continuation of the old one's beginning: a snapshot is", () => {
  const { copy, feed, first, catchUps } = atTheBeginning();
  copy.begin("e2", new Map([["farm:1", { info: { id: 1 } }]]));
  expect(feed.take(first)).toBeNull();
  expect(feed.current()).toBe(false);
  expect(JSON.parse(feed.next()?.bytes.toString() ?? "")).toMatchObject({ t: "snapshot", epoch: "e2" });
  expect(catchUps.at(-1)).toBe("snapshot behind");
});
