import { expect, test } from "vitest";
import type { InMessage } from "../devices/broker.ts";
import { type Arrival, createWindow, type Line, WINDOW } from "./window.ts";

/** Open a window over messages that the test stores by hand, each acknowledged as soon as possible. */
function openWindow() {
  const taken: { message: InMessage; store: () => void; refuse: () => void }[] = [];
  const due: (() => void)[] = [];
  const window = createWindow(
    (message) => {
      const { promise, resolve, reject } = Promise.withResolvers<void>();
      taken.push({ message, store: resolve, refuse: () => reject(new Error("away")) });
      return promise;
    },
    (work) => due.push(work),
  );
  return {
    window,
    taken,
    /** Wait for all pending effects. */
    async settle() {
      for (let turn = 0; turn < 5; turn += 1) await Promise.resolve();
      for (const work of due.splice(0)) work();
    },
  };
}

function openLine(name: string) {
  const state = { isOpen: true, acknowledged: [] as number[], writes: 0, broken: 0 };
  const line: Line = {
    name,
    isOpen: () => state.isOpen,
    acknowledge(ids) {
      state.acknowledged.push(...ids);
      state.writes += 1;
    },
    breakOff() {
      state.broken += 1;
      state.isOpen = false;
    },
  };
  return Object.assign(state, { line });
}

const arrival = (id: number | null, more: Partial<Arrival> = {}): Arrival => ({
  id,
  topic: "mulkko/1/up",
  payload: Buffer.from(`{"moisture": ${id}}`),
  duplicate: false,
  retained: false,
  ...more,
});
const ignore = (): void => undefined;

test("[broker] takes many messages at once, and acknowledges them in order of arrival, once stored", async () => {
  const { window, taken, settle } = openWindow();
  const one = openLine("up#1");
  let asked = 0;
  for (const id of [7, 8, null, 9]) {
    window.arrived(one.line, arrival(id), () => {
      asked += 1;
    });
  }
  expect(asked).toBe(4);
  expect(taken.map(({ message }) => message.connection)).toEqual(["up#1", "up#1", "up#1", "up#1"]);
  taken[1]?.store();
  taken[3]?.store();
  await settle();
  expect(one.acknowledged).toEqual([]);
  taken[0]?.store();
  await settle();
  expect(one.acknowledged).toEqual([7, 8]);
  taken[2]?.store();
  await settle();
  expect(one.acknowledged).toEqual([7, 8, 9]);
  expect(one.writes).toBe(2);
});

test("[broker] a message that is not stored ends its connection once, and nothing after it is acknowledged there", async () => {
  const { window, taken, settle } = openWindow();
  const one = openLine("up#1");
  for (const id of [1, 2, 3, 4]) window.arrived(one.line, arrival(id), ignore);
  taken[0]?.store();
  taken[1]?.refuse();
  taken[2]?.refuse();
  await settle();
  taken[3]?.store();
  await settle();
  expect(one).toMatchObject({ acknowledged: [], broken: 1 });
  // Messages received before the end are not taken: the broker sends them again.
  window.arrived(one.line, arrival(5), ignore);
  expect(taken).toHaveLength(4);
});

test("[broker] takes a repeated message on a new connection only if it was not stored", async () => {
  const { window, taken, settle } = openWindow();
  const [one, two] = [openLine("up#1"), openLine("up#2")];
  for (const id of [1, 2, 3]) window.arrived(one.line, arrival(id), ignore);
  taken[1]?.refuse();
  await settle();
  taken[0]?.store();
  await settle();
  for (const id of [1, 2, 3]) window.arrived(two.line, arrival(id, { duplicate: true }), ignore);
  expect(taken.slice(3).map(({ message }) => message)).toMatchObject([
    { payload: arrival(2).payload, duplicate: true, connection: "up#2" },
  ]);
  taken[3]?.store();
  await settle();
  // The third message of the first connection is still being stored.
  expect(two.acknowledged).toEqual([1, 2]);
  taken[2]?.store();
  await settle();
  expect(two.acknowledged).toEqual([1, 2, 3]);
});

test("[broker] takes a new message under a reused identifier", async () => {
  const { window, taken, settle } = openWindow();
  const [one, two] = [openLine("up#1"), openLine("up#2")];
  for (const id of [1, 2]) window.arrived(one.line, arrival(id), ignore);
  one.isOpen = false;
  for (const { store } of taken) store();
  await settle();
  window.arrived(two.line, arrival(1), ignore);
  window.arrived(two.line, arrival(2, { duplicate: true, payload: Buffer.from("{}") }), ignore);
  expect(taken).toHaveLength(4);
});

test("[broker] asks for the next message of a full window when there is room", async () => {
  const { window, taken, settle } = openWindow();
  const one = openLine("up#1");
  let asked = 0;
  for (let id = 1; id <= WINDOW; id += 1) {
    window.arrived(one.line, arrival(id), () => {
      asked += 1;
    });
  }
  expect(asked).toBe(WINDOW - 1);
  taken[1]?.store();
  await settle();
  expect(asked).toBe(WINDOW - 1);
  taken[0]?.store();
  await settle();
  expect(asked).toBe(WINDOW);
});

test("[broker] draining ends with the last acknowledgement and takes no new message", async () => {
  const { window, taken, settle } = openWindow();
  const one = openLine("up#1");
  window.arrived(one.line, arrival(1), ignore);
  let drained = false;
  const end = window.drain().then(() => {
    drained = true;
  });
  window.arrived(one.line, arrival(2), ignore);
  await settle();
  expect(taken).toHaveLength(1);
  expect(drained).toBe(false);
  taken[0]?.store();
  await settle();
  await end;
  expect(one.acknowledged).toEqual([1]);
});

test("[broker] draining does not wait for an ended connection", async () => {
  const { window, settle } = openWindow();
  const one = openLine("up#1");
  window.arrived(one.line, arrival(1), ignore);
  one.isOpen = false;
  const end = window.drain();
  await settle();
  await end;
});
