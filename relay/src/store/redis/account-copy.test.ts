import { createFakeClock } from "@mulkko/shared/testing/fake-clock";
import { expect, test } from "vitest";
import { emptyState } from "../../core/changes-since.ts";
import type { StateValue } from "../../ports/streams.ts";
import { settle } from "../../testing/settle.ts";
import { flipAt, stepFrom } from "../contract.suite.ts";
import { createAccountCopy } from "./account-copy.ts";
import type { Publication } from "./publication.ts";
import type { StoredStreams } from "./stored-streams.ts";

function storedAt(epoch: string, offset: number, value: StateValue): StoredStreams {
  const state = { ...emptyState(epoch), offset };
  state.values.set("sensor:1", { value, offset });
  return { devices: state, events: { epoch: `${epoch}-events`, offset: 0, kept: [] } };
}

const stepAt = (from: number, value: StateValue, epoch = "e1"): Publication => ({
  kind: "S",
  node: "other",
  epoch,
  body: stepFrom(from, { "sensor:1": value }).frame.bytes,
});

/** A copy of a store that answers when the test says. */
async function rig(stored: StoredStreams) {
  let now = stored;
  let reads = 0;
  let isOwner = false;
  let held: (() => void) | undefined;
  const copy = createAccountCopy({
    clock: createFakeClock(),
    async read() {
      reads += 1;
      const answer = now;
      await new Promise<void>((resolve) => {
        if (held === undefined) resolve();
        else held = resolve;
      });
      return answer;
    },
    isOwner: () => isOwner,
    onError: (error) => {
      throw error;
    },
  });
  await copy.fill();
  return {
    copy,
    reads: () => reads - 1,
    store: (next: StoredStreams) => {
      now = next;
    },
    own: () => {
      isOwner = true;
    },
    /** The next read is asked, and answered when what is returned is called. */
    hold: () => {
      held = () => undefined;
      return () => {
        const answer = held;
        held = undefined;
        answer?.();
      };
    },
    value: () => copy.devices.value("sensor:1"),
  };
}

test("[SUB-2] what follows is applied, what is old is ignored, and a hole is read from the store", async () => {
  const { copy, reads, store, value } = await rig(storedAt("e1", 3, { n: 3 }));
  copy.heard(stepAt(3, { n: 4 }));
  copy.heard(stepAt(3, { n: 4 }));
  copy.heard(stepAt(1, { n: 1 }));
  await settle();
  expect([value(), copy.devices.stream.offset, reads()]).toEqual([{ n: 4 }, 4, 0]);
  store(storedAt("e1", 7, { n: 7 }));
  copy.heard(stepAt(6, { n: 7 }));
  await settle();
  expect([value(), copy.devices.stream.offset, reads()]).toEqual([{ n: 7 }, 7, 1]);
});

test("[SUB-2] what is published while the store is read is applied where it lies beyond", async () => {
  const { copy, reads, store, hold, value } = await rig(storedAt("e1", 3, { n: 3 }));
  const answer = hold();
  store(storedAt("e1", 5, { n: 5 }));
  copy.heard(stepAt(4, { n: 5 }));
  copy.heard(stepAt(5, { n: 6 }));
  await settle();
  expect(copy.devices.stream.offset).toBe(3);
  answer();
  await settle();
  expect([value(), copy.devices.stream.offset, reads()]).toEqual([{ n: 6 }, 6, 1]);
});

test("[NODE-2] another epoch is read from the store", async () => {
  const { copy, store, value } = await rig(storedAt("e1", 3, { n: 3 }));
  store(storedAt("e2", 0, { n: 9 }));
  copy.heard({ kind: "B", node: "other", epoch: "e2", body: Buffer.alloc(0) });
  await settle();
  expect([value(), copy.devices.stream.epoch, copy.events.stream.epoch]).toEqual([
    { n: 9 },
    "e2",
    "e2-events",
  ]);
});

test("[NODE-2] what the store has lost, or is behind with, is not taken over", async () => {
  const { copy, store, value } = await rig(storedAt("e1", 3, { n: 3 }));
  store({ devices: null, events: null });
  await copy.fill();
  store(storedAt("e1", 2, { n: 2 }));
  await copy.fill();
  expect([value(), copy.devices.stream.offset]).toEqual([{ n: 3 }, 3]);
});

test("[NODE-5] the owner's own copy listens to nobody", async () => {
  const { copy, own, reads, value } = await rig(storedAt("e1", 3, { n: 3 }));
  own();
  copy.heard(stepAt(3, { n: 666 }));
  copy.heard(stepAt(9, { n: 666 }));
  await settle();
  expect([value(), reads()]).toEqual([{ n: 3 }, 0]);
});

test("[SUB-2] a publication that this version cannot read costs one read, not one after the other", async () => {
  const { copy, reads } = await rig(storedAt("e1", 3, { n: 3 }));
  copy.heard({ kind: "S", node: "other", epoch: "e1", body: Buffer.from("{") });
  await settle();
  expect(reads()).toBe(1);
});

test("[SUB-4] an event that follows is heard as it was sent, and one that came before is not heard again", async () => {
  const { copy } = await rig(storedAt("e1", 3, { n: 3 }));
  const event = flipAt(0);
  const body = Buffer.from(JSON.stringify({ t: "event", stream: "events", offset: 1, event }));
  const heard: Buffer[] = [];
  copy.events.stream.listen((frame) => heard.push(frame.bytes));
  const publication: Publication = { kind: "E", node: "other", epoch: "e1-events", body };
  copy.heard(publication);
  copy.heard(publication);
  expect(heard).toEqual([body]);
  expect(copy.events.kept()).toEqual([{ offset: 1, event }]);
});
