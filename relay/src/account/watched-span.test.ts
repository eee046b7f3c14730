import { createFakeClock } from "@mulkko/shared/testing/fake-clock";
import { createFakeTimers, settle } from "@mulkko/shared/testing/fake-timers";
import { beforeEach, describe, expect, it } from "vitest";
import { foundSingle } from "../../testing/any-documents.ts";
import { createCapturedLog } from "../../testing/captured-log.ts";
import { createFakeDocuments, type FakeDocuments } from "../../testing/fake-documents.ts";
import { putSingle } from "../store/collections.ts";
import { writeAccount } from "./device-memory.ts";
import { createSpanWatch, WATCHED_SPAN } from "./watched-span.ts";

const MINUTE_MS = 60_000;

describe("the span in which an account is watched", () => {
  const clock = createFakeClock();
  const timers = createFakeTimers(clock);
  let store: FakeDocuments;
  let watching: boolean;
  beforeEach(() => {
    store = createFakeDocuments();
    watching = true;
  });

  async function open() {
    const span = createSpanWatch({
      store: store.documents,
      writer: writeAccount(store.documents, timers, createCapturedLog()),
      now: clock.now,
      watching: () => watching,
      timers,
    });
    await span.restore();
    return span;
  }

  it("[WAT-4] begins with the first look and lasts while the account is watched", async () => {
    const span = await open();
    watching = false;
    span.look();
    expect(span.since()).toBeNull();
    watching = true;
    const began = clock.now();
    span.look();
    expect(span.since()).toBe(began);
    timers.advance(24 * 60 * MINUTE_MS);
    expect(span.since()).toBe(began);
    await settle();
    expect(await foundSingle(store.documents, WATCHED_SPAN)).toEqual({ since: began, until: clock.now() });
    span.close();
  });

  it("[WAT-4] survives a restart that takes less than a gap", async () => {
    const first = await open();
    const began = clock.now();
    first.look();
    timers.advance(60 * MINUTE_MS);
    await first.keep();
    first.close();
    timers.advance(4 * MINUTE_MS);
    const second = await open();
    second.look();
    expect(second.since()).toBe(began);
    second.close();
  });

  it("[WAT-4] begins again after the relay did not watch for longer than a gap", async () => {
    const first = await open();
    first.look();
    await first.keep();
    first.close();
    timers.advance(6 * MINUTE_MS);
    const second = await open();
    second.look();
    expect(second.since()).toBe(clock.now());
    second.close();
  });

  it("[WAT-4] begins again after the farm API was away for longer than a gap", async () => {
    const span = await open();
    span.look();
    watching = false;
    timers.advance(30 * MINUTE_MS);
    watching = true;
    timers.advance(2 * MINUTE_MS);
    expect(clock.now() - (span.since() ?? 0)).toBeLessThanOrEqual(2 * MINUTE_MS);
    span.close();
  });

  it("[WAT-4] begins again when the stored time lies in the future", async () => {
    const later = clock.now() + 60 * MINUTE_MS;
    await store.documents.write([putSingle(WATCHED_SPAN, { since: later, until: later })]);
    const span = await open();
    span.look();
    expect(span.since()).toBe(clock.now());
    span.close();
  });
});
