import { createFakeClock } from "@mulkko/shared/testing/fake-clock";
import { settle } from "@mulkko/shared/testing/fake-timers";
import { expect, test } from "vitest";
import { emptyState } from "../changes-since.ts";
import { flipAt, stepFrom } from "../contract.suite.ts";
import type { StateValue } from "../streams.ts";
import { createAccountCopy } from "./account-copy.ts";
import type { Publication, StoredStreams } from "./stored-streams.ts";

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

/** Create a copy of a store that answers when the test allows it. */
async function harness(stored: StoredStreams) {
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
    /** Hold the next read; calling the returned function answers it. */
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

test("[SUB-2] applies the next step, ignores an old one, and reads the store after a gap", async () => {
  const { copy, reads, store, value } = await harness(storedAt("e1", 3, { n: 3 }));
  copy.received(stepAt(3, { n: 4 }));
  copy.received(stepAt(3, { n: 4 }));
  copy.received(stepAt(1, { n: 1 }));
  await settle();
  expect([value(), copy.devices.stream.offset, reads()]).toEqual([{ n: 4 }, 4, 0]);
  store(storedAt("e1", 7, { n: 7 }));
  copy.received(stepAt(6, { n: 7 }));
  await settle();
  expect([value(), copy.devices.stream.offset, reads()]).toEqual([{ n: 7 }, 7, 1]);
});

test("[SUB-2] applies publications that arrive during a read if they are newer", async () => {
  const { copy, reads, store, hold, value } = await harness(storedAt("e1", 3, { n: 3 }));
  const answer = hold();
  store(storedAt("e1", 5, { n: 5 }));
  copy.received(stepAt(4, { n: 5 }));
  copy.received(stepAt(5, { n: 6 }));
  await settle();
  expect(copy.devices.stream.offset).toBe(3);
  answer();
  await settle();
  expect([value(), copy.devices.stream.offset, reads()]).toEqual([{ n: 6 }, 6, 1]);
});

test("[NODE-2] reads another epoch from the store", async () => {
  const { copy, store, value } = await harness(storedAt("e1", 3, { n: 3 }));
  store(storedAt("e2", 0, { n: 9 }));
  copy.received({ kind: "B", node: "other", epoch: "e2", body: Buffer.alloc(0) });
  await settle();
  expect([value(), copy.devices.stream.epoch, copy.events.stream.epoch]).toEqual([
    { n: 9 },
    "e2",
    "e2-events",
  ]);
});

test("[NODE-2] does not replace its state by a store that lost or lacks data", async () => {
  const { copy, store, value } = await harness(storedAt("e1", 3, { n: 3 }));
  store({ devices: null, events: null });
  await copy.fill();
  store(storedAt("e1", 2, { n: 2 }));
  await copy.fill();
  expect([value(), copy.devices.stream.offset]).toEqual([{ n: 3 }, 3]);
});

test("[NODE-5] the owner's own copy ignores publications", async () => {
  const { copy, own, reads, value } = await harness(storedAt("e1", 3, { n: 3 }));
  own();
  copy.received(stepAt(3, { n: 666 }));
  copy.received(stepAt(9, { n: 666 }));
  await settle();
  expect([value(), reads()]).toEqual([{ n: 3 }, 0]);
});

test("[SUB-2] reads once after a publication that this version cannot read", async () => {
  const { copy, reads } = await harness(storedAt("e1", 3, { n: 3 }));
  copy.received({ kind: "S", node: "other", epoch: "e1", body: Buffer.from("{") });
  await settle();
  expect(reads()).toBe(1);
});

test("[SUB-4] passes a new event on as it was sent, and an old one not again", async () => {
  const { copy } = await harness(storedAt("e1", 3, { n: 3 }));
  const event = flipAt(0);
  const body = Buffer.from(JSON.stringify({ t: "event", stream: "events", offset: 1, event }));
  const received: Buffer[] = [];
  copy.events.stream.listen((frame) => received.push(frame.bytes));
  const publication: Publication = { kind: "E", node: "other", epoch: "e1-events", body };
  copy.received(publication);
  copy.received(publication);
  expect(received).toEqual([body]);
  expect(copy.events.log()).toEqual([{ offset: 1, event }]);
});
