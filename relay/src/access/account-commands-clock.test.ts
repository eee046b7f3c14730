import { controllerCommand } from "@mulkko/shared/rest/operations/controllers";
import { relaySession } from "@mulkko/shared/rest/operations/relay-calls";
import { createFakeClock } from "@mulkko/shared/testing/fake-clock";
import { expect, test } from "vitest";
import { createFakeUpstream } from "../../testing/fake-upstream.ts";
import { createMemoryPassing } from "../store/embedded/memory-passing.ts";
import { UpstreamStatusError } from "../upstream/errors.ts";
import type { OutgoingCommand } from "../upstream/outgoing-command.ts";
import { RelaySessions } from "./account-access.ts";
import { createAccountCommands } from "./account-commands.ts";
import { createCredentials } from "./credentials.ts";
import { PROOFS, TokenProver } from "./token-prover.ts";

const OPEN: OutgoingCommand = {
  commandId: "cmd-1",
  form: "controller",
  controllerId: "c1",
  number: 1,
  command: "onoff",
  payload: 1,
  maxRunSeconds: 60,
  expiresAt: Date.parse("2026-11-21T03:00:25.000Z"),
  token: "pressers",
  traceId: "trace-1",
};

function harness() {
  const clock = createFakeClock();
  const client = createFakeUpstream();
  const upstreamClock = { offsetMs: 0 };
  const capabilities = { extensions: [], isKnown: true, has: () => true, listen: () => () => undefined };
  const sessions = new RelaySessions({
    client,
    relayKey: () => "0123456789abcdef",
    clock,
    upstreamClock,
  });
  const credentials = createCredentials({ accountId: "a1", clock, sessions });
  const prover = new TokenProver({
    client,
    clock,
    upstreamClock,
    proofs: createMemoryPassing(clock.now)(PROOFS),
    receivesSessionEnds: () => true,
    reachable: () => true,
    onError: () => undefined,
  });
  client.answer(controllerCommand.path, { commandId: "cmd-1" });
  const commands = createAccountCommands({ client, capabilities, credentials, prover, upstreamClock });
  return { client, upstreamClock, credentials, commands };
}

test("[CMD-1] an acceptance carries the API's clock offset, and an opening's expiry is converted to that clock", async () => {
  const { client, upstreamClock, commands } = harness();
  expect(await commands.send(OPEN)).toEqual({ kind: "accepted", commandId: "cmd-1" });
  upstreamClock.offsetMs = 90_000;
  expect(await commands.send(OPEN)).toEqual({ kind: "accepted", commandId: "cmd-1", offsetMs: 90_000 });
  expect(client.calls.map(({ options }) => options.json)).toMatchObject([
    { expiresAt: "2026-11-21T03:00:25.000Z" },
    { expiresAt: "2026-11-21T03:01:55.000Z" },
  ]);
});

test("[CMD-9] a command's trace id is sent to the farm API in the header that its log uses", async () => {
  const { client, commands } = harness();
  await commands.send(OPEN);
  expect(client.calls[0]?.options.headers).toMatchObject({
    "x-request-id": "trace-1",
    "idempotency-key": "cmd-1",
  });
});

test("[CRED-1] an announced session that the API refuses does not count as an own session", async () => {
  const { client, credentials, commands } = harness();
  expect(commands.ownSession).toBe(true);
  client.answer(relaySession.path, new UpstreamStatusError("wrong key", 403, "forbidden", null));
  const isAccess = (error: unknown) => error instanceof UpstreamStatusError && error.isAccess;
  await expect(credentials.use(async () => "asked", isAccess)).rejects.toThrow();
  expect(commands.ownSession).toBe(false);
});
