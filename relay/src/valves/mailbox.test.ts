import { expect, test } from "vitest";
import { createMailbox, MAILBOX_LIMIT, MAILBOX_RESERVE } from "./mailbox.ts";
import { createFakeLog } from "./testing/fake-writer.ts";

function stuck() {
  let go = (): void => undefined;
  const gate = new Promise<void>((done) => {
    go = done;
  });
  const mailbox = createMailbox(createFakeLog());
  const done: string[] = [];
  mailbox.post(() => gate);
  const post = (name: string, urgency?: "ordinary" | "urgent") =>
    mailbox.post(async () => void done.push(name), urgency);
  return { mailbox, done, post, go };
}

test("[CMD-4] a closing finds room where reports and openings have taken all of theirs", async () => {
  const { done, post, go } = stuck();
  for (let n = 0; n < MAILBOX_LIMIT; n += 1) expect(post("report")).toBe(true);
  expect(post("one more")).toBe(false);
  expect(post("close", "urgent")).toBe(true);
  go();
  await new Promise(setImmediate);
  expect(done).toHaveLength(MAILBOX_LIMIT + 1);
  expect(done.at(-1)).toBe("close");
});

test("[CMD-0] the reserve has an end too, and what has waited goes in its order", async () => {
  const { done, post, go } = stuck();
  for (let n = 0; n < MAILBOX_LIMIT + MAILBOX_RESERVE; n += 1) expect(post(`${n}`, "urgent")).toBe(true);
  expect(post("beyond", "urgent")).toBe(false);
  go();
  await new Promise(setImmediate);
  expect(done).toEqual(Array.from({ length: MAILBOX_LIMIT + MAILBOX_RESERVE }, (_, n) => `${n}`));
});

test("[CMD-0] a step that fails is logged, and the next one is taken", async () => {
  const { mailbox, done, post, go } = stuck();
  mailbox.post(async () => {
    throw new Error("broken");
  });
  post("after");
  go();
  await new Promise(setImmediate);
  expect(done).toEqual(["after"]);
});
