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
  expect([capabilities.has("relay-session"), capabilities.isKnown]).toEqual([false, false]);
  client.answer(capabilityList.path, { extensions: ["relay-session", "teleport"] });
  await capabilities.ask();
  expect(capabilities.isKnown).toBe(true);
  await capabilities.ask();
  expect(capabilities.has("relay-session")).toBe(true);
  expect(changes()).toBe(1);
});

test("[KEEP-5] a refusal for good means no extensions, and the request is not repeated", async () => {
  const refusals = [400, 401, 403, 404, 405, 410, 501].map(
    (code) => new UpstreamStatusError("", code, "", null),
  );
  for (const answer of [...refusals, "hello"]) {
    const { client, capabilities, timers } = harness();
    client.answer(capabilityList.path, answer);
    await capabilities.ask();
    await timers.pass(600_000);
    expect(client.calls).toHaveLength(1);
  }
});

test("[KEEP-5] only an API that does not know the call loses extensions, whatever a proxy answers", async () => {
  for (let code = 400; code < 600; code += 1) {
    const { client, capabilities, timers } = harness();
    client.answer(capabilityList.path, { extensions: ["timed-run"] });
    await capabilities.ask();
    client.answer(capabilityList.path, new UpstreamStatusError("", code, "", null));
    await capabilities.ask();
    const isUnknown = [404, 405, 410, 501].includes(code);
    expect([code, capabilities.has("timed-run")]).toEqual([code, !isUnknown]);
    client.answer(capabilityList.path, { extensions: ["timed-run", "mqtt-out"] });
    await timers.pass(60_000);
    expect([code, capabilities.has("mqtt-out")]).toEqual([code, !isUnknown]);
    capabilities.close();
  }
  const { client, capabilities } = harness();
  client.answer(capabilityList.path, { extensions: ["timed-run"] });
  await capabilities.ask();
  client.answer(capabilityList.path, "<html>Maintenance</html>");
  await capabilities.ask();
  expect(capabilities.has("timed-run")).toBe(true);
  capabilities.close();
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
