import { CommandRecord, CommandsAnswer, type FleetCloseBody } from "@mulkko/shared/rest/command";
import { ErrorBody } from "@mulkko/shared/rest/errors";
import { relayPath } from "@mulkko/shared/rest/routes";
import { buildAccount, buildController } from "@mulkko/shared/testing/builders";
import { seededRandom } from "@mulkko/shared/testing/random";
import { read } from "@mulkko/testing/stack/account";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { buildFakeAccount, type FakeApiAccount } from "../../testing/fake-farm-api.ts";
import { type RelayHarness, refusalOf, startRelayHarness } from "../../testing/relay-harness.ts";
import { until } from "../../testing/until.ts";

const CONTROLLER = buildController();
const SERIAL = String(CONTROLLER.serial);
const [CHANNEL] = CONTROLLER.channels ?? [];
const OTHER = "00000000-0000-4000-8000-00000000000b";
const VALVE = {
  accountId: OTHER,
  controllerId: String(CONTROLLER.id),
  channelId: String(CHANNEL?.id),
  reason: "Runs since 03:10, the owner does not answer",
} satisfies FleetCloseBody;
const ADMIN = "token-admin";
const FARMER = "token-other";

let relay: RelayHarness;
let farm: FakeApiAccount;
beforeAll(async () => {
  const admin = buildFakeAccount({
    account: buildAccount({ userType: "ADMIN", nickname: "Overseer" }),
    token: ADMIN,
  });
  farm = buildFakeAccount({
    account: buildAccount({ id: OTHER, username: "lee" }),
    token: FARMER,
    controllers: [CONTROLLER],
    states: new Map([[`${SERIAL}/${VALVE.channelId}`, { onoff: 1 }]]),
  });
  relay = await startRelayHarness(admin, { RELAY_KEY: "0123456789abcdef" }, (api) => {
    api.accounts.push(farm);
    api.extensions = ["relay-session", "relay-audit"];
    api.relayKey = "0123456789abcdef";
    api.obeys = true;
  });
});
afterAll(() => relay.close());
beforeEach(() => {
  farm.disabled = false;
  relay.api.calls.length = 0;
  relay.api.auditEntries.length = 0;
});

const close = (body: unknown, token = ADMIN, key?: string) =>
  fetch(relay.origin + relayPath.fleetClose, {
    method: "POST",
    headers: {
      authorization: `Bearer ${token}`,
      "content-type": "application/json",
      ...(key !== undefined && { "idempotency-key": key }),
    },
    body: JSON.stringify(body),
  });
/** Commands that the farm API received. */
const sent = () => relay.api.calls.filter(({ method }) => method === "BODY");
const logOf = async () =>
  (await read(await relay.call("GET", relayPath.commands, undefined, FARMER), CommandsAnswer)).commands;

test("[CMD-21] closes a valve of another account, with that account's session", async () => {
  const record = await read(await close(VALVE, ADMIN, "close-1"), CommandRecord);
  expect(record).toMatchObject({ commandId: "close-1", target: 2, until: null });
  expect(sent()).toMatchObject([
    { token: `relay-token:${OTHER}`, body: { uuid: VALVE.controllerId, command: "onoff", payload: 2 } },
  ]);
});

test("[CMD-21] the owner reads who closed the valve and why, in the log and in each event", async () => {
  const { owners } = relay.app.services;
  const viewer = await owners.viewAs(OTHER);
  const before = viewer.events.offset;
  await close(VALVE, ADMIN, "close-2");
  const [logged] = await logOf();
  expect(logged).toMatchObject({
    ...{ id: "close-2", target: 2, by: { nickname: "Overseer" }, administrator: { reason: VALVE.reason } },
  });
  const caught = viewer.events.eventsSince({ epoch: viewer.events.epoch, offset: before }, 100);
  const events = caught.kind === "resume" ? caught.missed.map(({ event }) => event) : [];
  const steps = events.filter((event) => event.kind === "command" && event.id === "close-2");
  expect(steps.length).toBeGreaterThan(0);
  expect(steps.every((step) => step.kind === "command" && step.administrator?.reason === VALVE.reason)).toBe(
    true,
  );
  viewer.release();
});

test("[CMD-21] is audited once, with the reason, however often it is repeated", async () => {
  await close(VALVE, ADMIN, "close-3");
  await close(VALVE, ADMIN, "close-3");
  await until(() => relay.api.auditEntries.length > 0);
  expect(relay.api.auditEntries).toMatchObject([
    {
      action: "valve-close",
      subject: { kind: "user", id: OTHER },
      after: { channelId: VALVE.channelId, commandId: "close-3", reason: VALVE.reason },
    },
  ]);
});

test("[CMD-21] a user who is no administrator gets 403, also for an own valve; without a token 401", async () => {
  expect(await refusalOf(close(VALVE, FARMER))).toBe("403 forbidden");
  expect(await refusalOf(close(VALVE, "unknown"))).toBe("401 unauthorized");
  expect(await refusalOf(fetch(relay.origin + relayPath.fleetClose, { method: "POST" }))).toBe(
    "401 unauthorized",
  );
  expect(sent()).toEqual([]);
});

test("[CMD-21] a write with `as` stays refused", async () => {
  const answer = await relay.call("POST", `${relayPath.fleetClose}?as=${OTHER}`, VALVE, ADMIN);
  expect(await refusalOf(answer)).toBe("403 forbidden");
});

test("[CMD-21] a valve that the account does not have is 404", async () => {
  expect(await refusalOf(close({ ...VALVE, channelId: "999" }))).toBe("404 not-found");
  expect(await refusalOf(close({ ...VALVE, controllerId: "c9" }))).toBe("404 not-found");
  expect(await refusalOf(close({ ...VALVE, accountId: "nobody" }))).toBe("403 forbidden");
  expect(sent()).toEqual([]);
});

test("[CMD-21] a suspended account's open valve is closed with the administrator's token", async () => {
  const viewer = await relay.app.services.owners.viewAs(OTHER);
  farm.disabled = true;
  const answer = await close(VALVE, ADMIN, "close-4");
  expect(answer.status).toBe(200);
  // Its own session is refused first.
  await until(() => relay.api.calls.some(({ token, path }) => token === ADMIN && path.endsWith("/cmd")));
  viewer.release();
});

test("[CMD-21] no spelling of the call, and nothing in its body, opens a valve", async () => {
  const seed = Number(process.env.FUZZ_SEED ?? 21);
  const random = seededRandom(seed);
  const pick = <T>(from: readonly T[]): T => {
    const one = from[Math.floor(random() * from.length)];
    if (one === undefined) throw new Error("nothing to pick from");
    return one;
  };
  const values = [1, "1", 2, "on", true, null, {}, [1], "onoff", "open", 60];
  const names = [
    ...["target", "payload", "command", "onoff", "maxRunSeconds", "want", "until", "form", "byRelay"],
    ...["number", "channel", "uuid", "__proto__", "constructor", "administrator", "token"],
  ];
  const paths = [
    ...["/relay/fleet/close", "/relay/fleet//close", "/relay/fleet/close/", "/relay/fleet/close?payload=1"],
    ...["/relay/fleet/close?target=1&command=open", "/relay/fleet/open", "/relay/./fleet/close"],
    ...["/relay/fleet/close%2f", "/RELAY/fleet/close", "/relay/fleet/%63lose"],
  ];
  const types = [
    "application/json",
    "application/x-www-form-urlencoded",
    "text/plain",
    "multipart/form-data",
  ];
  for (let n = 0; n < 300; n += 1) {
    const more = Array.from({ length: Math.floor(random() * 3) }, () => [pick(names), pick(values)]);
    const body = { ...VALVE, ...Object.fromEntries(more) };
    const method = pick(["POST", "POST", "POST", "PUT", "GET", "DELETE", "PATCH"]);
    const type = pick([types[0] ?? "", ...types]);
    const form = new URLSearchParams(
      Object.fromEntries(Object.entries(body).map(([key, value]) => [key, String(value)])),
    );
    const text = type.includes("urlencoded") ? form.toString() : JSON.stringify(body);
    const path = pick([...paths, relayPath.fleetClose, relayPath.fleetClose]);
    const response = await fetch(relay.origin + path, {
      method,
      headers: { authorization: `Bearer ${ADMIN}`, ...(method !== "GET" && { "content-type": type }) },
      ...(method !== "GET" && { body: text }),
    });
    const failed = `FUZZ_SEED=${seed}, ${n}: ${method} ${path} ${type} ${text}`;
    if (more.length > 0 && response.ok && method === "POST" && path.startsWith(relayPath.fleetClose)) {
      // The last of several names may be one of the body's own.
      expect(Object.keys(body).toSorted(), failed).toEqual(Object.keys(VALVE).toSorted());
    }
    await response.arrayBuffer();
    for (const { body: command } of sent()) expect(command, failed).toMatchObject({ payload: 2 });
  }
  expect((await logOf()).every(({ target, id }) => target === 2 || !id)).toBe(true);
});

test("[CMD-21] a body without a reason, or with any other field, is refused with 422", async () => {
  for (const body of [
    { ...VALVE, reason: " " },
    { ...VALVE, target: 1 },
    { accountId: OTHER },
    [],
    1,
    null,
  ]) {
    const answer = await close(body);
    expect(answer.status).toBe(422);
    expect((await read(answer, ErrorBody)).code).toBe("validation");
  }
  expect(sent()).toEqual([]);
});
