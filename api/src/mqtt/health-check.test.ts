import { expect, test } from "vitest";
import { STALLED_MS, startHealthCheck } from "./health-check.ts";

test("[broker] the health check fails when its messages no longer arrive, and recovers when they do", () => {
  let at = 0;
  let beat = (): void => undefined;
  const sent: (() => void)[] = [];
  const healthCheck = startHealthCheck(
    (arrived) => sent.push(arrived),
    () => at,
    (ms, run) => {
      beat = () => {
        at += ms;
        run();
      };
      return () => undefined;
    },
  );
  const deliver = (): void => {
    for (const arrived of sent.splice(0)) arrived();
  };
  for (let n = 0; n < 30; n += 1) {
    beat();
    deliver();
  }
  expect(healthCheck.isAlive()).toBe(true);
  const stalledAt = at;
  while (at - stalledAt < STALLED_MS) beat();
  expect(healthCheck.isAlive()).toBe(false);
  deliver();
  expect(healthCheck.isAlive()).toBe(true);
});
