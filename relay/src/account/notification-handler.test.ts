import { createApiTimeZone } from "@mulkko/shared/rules/api-time";
import { createFakeClock } from "@mulkko/shared/testing/fake-clock";
import { createFakeTimers } from "@mulkko/shared/testing/fake-timers";
import { expect, test } from "vitest";
import { changed } from "../../testing/any-documents.ts";
import { createCapturedLog } from "../../testing/captured-log.ts";
import { createTestStore } from "../../testing/test-store.ts";
import { putSingle } from "../store/collections.ts";
import { StoreUnavailableError } from "../store/errors.ts";
import { writeAccount } from "./device-memory.ts";
import { createNotificationHandler, NOTIFIED } from "./notification-handler.ts";

test("[KEEP-5] a store that was away at the first list is asked again by the next one", async () => {
  const clock = createFakeClock();
  const timers = createFakeTimers(clock);
  const account = await createTestStore({ clock, timers }).claim("a1");
  const zone = createApiTimeZone("Asia/Seoul");
  const at = clock.now();
  await account.documents.write([putSingle(NOTIFIED, { at, keys: ["7"] })]);
  let isAway = true;
  const events: unknown[] = [];
  const { list } = createNotificationHandler({
    store: changed(account.documents, {
      single: (of) =>
        isAway ? Promise.reject(new StoreUnavailableError("gone")) : account.documents.single(of),
    }),
    writer: writeAccount(account.documents, timers, createCapturedLog()),
    state: { event: (event) => events.push(event) },
    apiClock: { zone, now: clock.now },
    clock,
    times: { isPossible: () => true },
  });
  const notification = (id: number) => ({ id, type: "watering", message: "", createdDate: zone.toApi(at) });

  await expect(list([notification(7), notification(8)])).rejects.toThrow(StoreUnavailableError);
  isAway = false;
  await list([notification(7), notification(8)]);
  expect(events).toMatchObject([{ id: 8 }]);
});
