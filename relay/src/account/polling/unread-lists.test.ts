import { controllerList } from "@mulkko/shared/rest/operations/controllers";
import { clusterList } from "@mulkko/shared/rest/operations/farms";
import { sensorList } from "@mulkko/shared/rest/operations/sensors";
import { buildController, buildSensor } from "@mulkko/shared/testing/builders";
import { expect, test } from "vitest";
import { createOwnersHarness } from "../../../testing/owners-harness.ts";
import { UpstreamAnswerError, UpstreamStatusError, UpstreamUnreachableError } from "../../upstream/errors.ts";

const STATUSES = [
  400, 401, 402, 403, 404, 405, 406, 407, 408, 409, 410, 418, 421, 422, 423, 425, 429, 451, 499, 500, 501,
  502, 503, 504, 520, 599,
];
const FAILURES = [
  ...STATUSES.map((status) => new UpstreamStatusError(`status ${status}`, status, "", null)),
  new UpstreamUnreachableError("timeout", "timeout", { mayHaveExecuted: false }),
  new UpstreamAnswerError("a page"),
];
const LISTS = { controllers: controllerList.path, farms: clusterList.path } as const;

test.each(Object.keys(LISTS))("[KEEP-5] %s are empty only where the API lacks the list", async (name) => {
  for (const failure of FAILURES) {
    const harness = createOwnersHarness();
    harness.api.answer(sensorList.path, [buildSensor()]);
    harness.api.answer(controllerList.path, [buildController()]);
    harness.api.answer(name === "farms" ? LISTS.farms : LISTS.controllers, failure);
    let outcome = "waiting";
    harness.owners.view(harness.proven, "t1").then(
      () => {
        outcome = "shown";
      },
      () => {
        outcome = "not shown";
      },
    );
    await harness.timers.pass(20_000);
    const isLacking = failure instanceof UpstreamStatusError && [404, 405, 410, 501].includes(failure.status);
    expect([failure.message, outcome === "shown"]).toEqual([failure.message, isLacking]);
  }
});
