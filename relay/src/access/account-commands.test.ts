import type { Extension } from "@mulkko/shared/rest/capabilities";
import { controllerCommand, sensorCommand } from "@mulkko/shared/rest/operations/controllers";
import { relaySession } from "@mulkko/shared/rest/operations/relay-calls";
import { createFakeClock } from "@mulkko/shared/testing/fake-clock";
import { describe, expect, test } from "vitest";
import { createFakeFarm } from "../../testing/fake-farm.ts";
import { createFakeUpstream } from "../../testing/fake-upstream.ts";
import { UpstreamAnswerError, UpstreamStatusError, UpstreamUnreachableError } from "../upstream/errors.ts";
import type { OutgoingCommand } from "../upstream/outgoing-command.ts";
import { createRelayKey } from "../upstream/relay-key.ts";
import { RelaySessions } from "./account-access.ts";
import { createAccountCommands } from "./account-commands.ts";
import { createCredentials } from "./credentials.ts";

const ALL: Extension[] = ["timed-run", "relay-session"];

function harness(extensions: Extension[] = ALL, isKnown = true) {
  const clock = createFakeClock();
  const client = createFakeUpstream();
  client.answer(relaySession.path, { accessToken: "token-of-the-relay" });
  client.answerOthers({ commandId: "command-1" });
  const capabilities = {
    extensions,
    isKnown,
    has: (extension: Extension) => extensions.includes(extension),
    listen: () => () => undefined,
  };
  const sessions = new RelaySessions({
    client,
    relayKey: createRelayKey("0123456789abcdef", capabilities),
    clock,
    upstreamClock: { offsetMs: 0 },
  });
  const credentials = createCredentials({ accountId: "u1", clock, sessions });
  const farm = createFakeFarm(clock);
  const commands = createAccountCommands({
    client,
    capabilities,
    credentials,
    prover: farm.prover,
    upstreamClock: { offsetMs: 0 },
  });
  const sent = () => client.calls.filter(({ options }) => options.unit === "command");
  return {
    clock,
    client,
    credentials,
    farm,
    commands,
    sent,
    tokens: () => sent().map((call) => call.options.token),
  };
}

const close: OutgoingCommand = {
  commandId: "command-1",
  form: "controller",
  controllerId: "20000000-0000-4000-8000-000000000001",
  number: 1,
  command: "onoff",
  payload: 2,
  traceId: "trace-1",
};
const openOf = (token: string, clock = createFakeClock()): OutgoingCommand => ({
  ...close,
  payload: 1,
  maxRunSeconds: 60,
  expiresAt: clock.now() + 25_000,
  token,
});
const denied = (status = 401) => new UpstreamStatusError("no", status, "unauthorized", null);

describe("the end of an opening", () => {
  test("[CMD-4] is named unless the API has said that it does not know it", async () => {
    const ends = [];
    for (const { commands, sent } of [harness(), harness([], false), harness([])]) {
      await commands.send(openOf("token-of-kim"));
      ends.push(sent().map(({ options }) => [options.json].flat().map((body) => Object.keys(body ?? {}))));
    }
    const named = expect.arrayContaining(["maxRunSeconds", "expiresAt"]);
    expect(ends).toEqual([[[named]], [[named]], [[expect.not.arrayContaining(["expiresAt"])]]]);
  });
});

describe("credentials of a command", () => {
  test("[CRED-2] an opening carries the token of its user, and each user's carries their own", async () => {
    const { commands, credentials, clock, tokens, client } = harness();
    credentials.lend("token-of-a-viewer", clock.now() + 60_000);
    await commands.send(openOf("token-of-kim"));
    await commands.send(openOf("token-of-lee"));
    expect(tokens()).toEqual(["token-of-kim", "token-of-lee"]);
    expect(client.count(relaySession.path)).toBe(0);
  });

  test.each([401, 403])(
    "[CRED-2] an opening answered %i is refused, and no other credential is tried",
    async (status) => {
      const { commands, client, credentials, clock, tokens } = harness();
      credentials.lend("token-of-a-viewer", clock.now() + 60_000);
      client.answer(controllerCommand.path, denied(status));
      expect(await commands.send(openOf("token-of-kim"))).toMatchObject({ kind: "refused", status });
      expect(tokens()).toEqual(["token-of-kim"]);
    },
  );

  test("[CRED-1] a close without a user uses the relay's own session, not a viewer's token", async () => {
    const { commands, credentials, clock, tokens } = harness();
    credentials.lend("token-of-kim", clock.now() + 60_000);
    expect(await commands.send(close)).toMatchObject({ kind: "accepted" });
    expect(tokens()).toEqual(["token-of-the-relay"]);
  });

  test("[CRED-1] a close refused for the relay's session uses a viewer's token", async () => {
    const { commands, credentials, clock, client } = harness();
    credentials.lend("token-of-kim", clock.now() + 60_000);
    client.answer(relaySession.path, new UpstreamStatusError("no", 404, "not-found", null));
    await commands.send(close);
    expect(client.calls.at(-1)?.options.token).toBe("token-of-kim");
  });

  test("[CRED-1] a close without any remaining credential is refused, and nothing is sent", async () => {
    const { commands, sent } = harness(["timed-run"]);
    expect(await commands.send(close)).toMatchObject({ kind: "refused", status: 403, code: "forbidden" });
    expect(sent()).toEqual([]);
  });

  test("[AUTH-4] a user's token answered 401 is rejected for their sessions; 403 and the relay's own are not", async () => {
    const { commands, client, farm } = harness();
    client.answer(controllerCommand.path, denied(403));
    await commands.send(openOf("token-of-kim"));
    expect(farm.rejected).toEqual([]);
    client.answer(controllerCommand.path, denied());
    await commands.send(close);
    expect(farm.rejected).toEqual([]);
    await commands.send(openOf("token-of-kim"));
    expect(farm.rejected).toEqual(["token-of-kim"]);
  });
});

describe("content of a command", () => {
  test("[CMD-4] an opening carries its remaining seconds, its expiry and its id", async () => {
    const { commands, sent, clock } = harness();
    await commands.send(openOf("token-of-kim", clock));
    expect(sent()).toMatchObject([
      {
        method: "POST",
        path: controllerCommand.path,
        options: {
          json: {
            uuid: close.controllerId,
            command: "onoff",
            channel: 1,
            payload: 1,
            maxRunSeconds: 60,
            expiresAt: "2026-11-21T03:00:25.000Z",
          },
          headers: { "idempotency-key": "command-1" },
        },
      },
    ]);
  });

  test("[RUN-2] an API that does not time runs receives no run time", async () => {
    const { commands, sent } = harness(["relay-session"]);
    await commands.send(openOf("token-of-kim"));
    const json = sent()[0]?.options.json;
    expect(json).toMatchObject({ payload: 1 });
    expect(json).not.toHaveProperty("maxRunSeconds");
    expect(json).not.toHaveProperty("expiresAt");
    expect([commands.has("timed-run"), commands.has("relay-session")]).toEqual([false, true]);
  });

  test("[command] a command in the sensor's form is sent to the sensor's path", async () => {
    const { commands, sent } = harness();
    await commands.send({ ...close, form: "sensor" });
    expect(sent().map(({ path }) => path)).toEqual([sensorCommand.path]);
  });
});

describe("result of a command", () => {
  test.each([
    ["a timeout", new UpstreamUnreachableError("", "timeout", { mayHaveExecuted: true }), "unknown"],
    [
      "a cut connection",
      new UpstreamUnreachableError("", "connection", { mayHaveExecuted: true }),
      "unknown",
    ],
    [
      "a refused connection",
      new UpstreamUnreachableError("", "connection", { mayHaveExecuted: false }),
      "not-sent",
    ],
    ["503", denied(503), "not-sent"],
    ["429", denied(429), "not-sent"],
    ["500", denied(500), "unknown"],
    ["502", denied(502), "unknown"],
    ["409", denied(409), "refused"],
    ["an answer of its own kind", new UpstreamAnswerError("no JSON"), "accepted"],
    ["an empty answer", null, "accepted"],
    ["an error of ours", new TypeError("broken"), "unknown"],
  ])("[CMD-4] %s is %3$s, and the command is sent once", async (_what, answer, kind) => {
    const { commands, client, sent } = harness();
    client.answer(controllerCommand.path, answer);
    expect((await commands.send(openOf("token-of-kim"))).kind).toBe(kind);
    expect(sent()).toHaveLength(1);
  });

  test.each([
    ["what it says to people", "점검 중입니다", "점검 중입니다"],
    ["what its status means, where it says nothing", null, "conflict"],
    ["what its status means, where it says no more than a word", "locked", "conflict"],
  ])("[CMD-1] a farm API without codes refuses with %s", async (_what, said, code) => {
    const { commands, client } = harness();
    client.answer(controllerCommand.path, new UpstreamStatusError("no", 409, "", null, said));
    expect(await commands.send(openOf("token-of-kim"))).toMatchObject({ kind: "refused", code });
  });

  test("[CMD-4] 408 may be retried, because it is not a refusal", async () => {
    const { commands, client } = harness();
    client.answer(controllerCommand.path, denied(408));
    expect((await commands.send(openOf("token-of-kim"))).kind).not.toBe("refused");
  });
});

test("[WAY-1] a command in the legacy form names the device type of the specification", async () => {
  const { commands, sent } = harness();
  await commands.send({ ...openOf("token-of-kim"), form: "sensor" });
  expect(sent()[0]).toMatchObject({
    path: sensorCommand.path,
    options: { json: { deviceType: "controller" } },
  });
});
