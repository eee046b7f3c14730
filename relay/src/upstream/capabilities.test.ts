import { capabilityList } from "@mulkko/shared/rest/operations/account";
import { createFakeClock } from "@mulkko/shared/testing/fake-clock";
import { createFakeTimers } from "@mulkko/shared/testing/fake-timers";
import { expect, test } from "vitest";
import { createFakeUpstream } from "../../testing/fake-upstream.ts";
import { watchCapabilities } from "./capabilities.ts";
import { UpstreamStatusError, UpstreamUnreachableError } from "./errors.ts";

function harness() {
  const timers = createFakeTimers(createFakeClock());
  const client = createFakeUpstream();
  let changes = 0;
  const capabilities = watchCapabilities({
    client,
    timers,
    onError: (error) => {
      throw error;
    },
  });
  capabilities.listen(() => {
    changes += 1;
  });
  return { timers, client, capabilities, changes: () => changes };
}

test("[ingest] the API's announced extensions are known after the request; unknown names are ignored", async () => {
  const { client, capabilities, changes } = harness();
  expect(capabilities.has("relay-session")).toBe(false);
  client.answer(capabilityList.path, { extensions: ["relay-session", "teleport"] });
  await capabilities.ask();
  await capabilities.ask();
  expect(capabilities.has("relay-session")).toBe(true);
  expect(changes()).toBe(1);
});

test("[ingest] any other answer below 500 means no extensions, and the request is not repeated", async () => {
  for (const answer of [new UpstreamStatusError("", 404, "not-found", null), "hello"]) {
    const { client, capabilities, timers } = harness();
    client.answer(capabilityList.path, answer);
    await capabilities.ask();
    await timers.pass(600_000);
    expect(client.calls).toHaveLength(1);
  }
});

test("[ingest] an API that does not answer is asked every minute, and keeps its previous extensions", async () => {
  const { client, capabilities, timers } = harness();
  client.answer(capabilityList.path, { extensions: ["mqtt-out"] });
  await capabilities.ask();
  for (const error of [
    new UpstreamStatusError("", 500, "internal", null),
    new UpstreamUnreachableError("", "timeout", { mayHaveExecuted: false }),
  ]) {
    client.answer(capabilityList.path, error);
    await capabilities.ask();
    expect(capabilities.has("mqtt-out")).toBe(true);
  }
  client.answer(capabilityList.path, { extensions: [] });
  await timers.pass(60_000);
  expect(capabilities.extensions).toEqual([]);
  expect(client.calls).toHaveLength(4);
});
