import { createFakeClock } from "@mulkko/shared/testing/fake-clock";
import { createFakeTimers } from "@mulkko/shared/testing/fake-timers";
import { expect, test } from "vitest";
import { createCapturedLog } from "../../testing/captured-log.ts";
import { NoAccessError } from "../upstream/errors.ts";
import { createAccountRecovery } from "./recovery.ts";

test("[CRED-1] warns of accounts that are not recovered once the farm API is there, not before", async () => {
  const log = createCapturedLog();
  let isReachable = false;
  const recovery = createAccountRecovery({
    store: { watchedAccounts: async () => ["a1"], accountsWith: async () => ["a1"] },
    timers: createFakeTimers(createFakeClock()),
    log,
    isReachable: () => isReachable,
    atMost: 10,
    read: async () => {
      throw new NoAccessError("no session");
    },
  });
  const warnings = () => log.lines.filter(({ level }) => level === "warn");
  await recovery.resume();
  expect(warnings()).toEqual([]);
  isReachable = true;
  await recovery.resume();
  expect(warnings()).toHaveLength(1);
});
