import { applyChange, applySnapshotPart, type StateCopy } from "@mulkko/shared/live/apply-change";
import { FleetAccountValue, FleetAlarmValue } from "@mulkko/shared/live/fleet";
import { fleetAccountKey } from "@mulkko/shared/live/fleet-keys";
import { CommandRecord } from "@mulkko/shared/rest/command";
import { relayPath } from "@mulkko/shared/rest/routes";
import { parse } from "@mulkko/shared/schema/parse";
import { read, type SignedIn, signIn } from "@mulkko/testing/stack/account";
import { openPlainWebSocket, type PlainWebSocket } from "@mulkko/testing/stack/plain-websocket";
import { type RegisteredFarm, registerFarm } from "@mulkko/testing/stack/register-farm";
import { type Stack, startStack } from "@mulkko/testing/stack/start-stack";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

const EVERYTHING_MS = 60_000;

/** Return the state of the fleet that a program at the WebSocket has received. */
function fleetAt(webSocket: PlainWebSocket): StateCopy {
  const copy: StateCopy = new Map();
  let offset = 0;
  for (const message of webSocket.received) {
    if (message.t === "snapshot" && message.stream === "fleet" && !Array.isArray(message.state)) {
      applySnapshotPart(copy, message.part, message.state);
      ({ offset } = message);
    } else if (message.t === "change" && message.stream === "fleet") {
      applyChange(copy, offset, message);
      ({ offset } = message);
    }
  }
  return copy;
}

/** A farm that was registered at the farm API, and whose owner never used the relay. */
describe("a farm whose owner never signed in", () => {
  let stack: Stack;
  let farm: RegisteredFarm;
  let admin: SignedIn;
  let webSocket: PlainWebSocket;
  const look = async (): Promise<void> => {
    webSocket?.close();
    admin = await signIn(stack.url, "admin");
    webSocket = await openPlainWebSocket(stack.url, admin.token);
    webSocket.send({ t: "subscribe", stream: "fleet" });
    await webSocket.waitFor((message) => message.t === "snapshot" && message.stream === "fleet");
  };
  const alarm = (type: FleetAlarmValue["type"]): FleetAlarmValue | undefined =>
    [...fleetAt(webSocket)].flatMap(([key, value]) => {
      const found = key.startsWith(`alarm:${farm.accountId}:`) ? parse(FleetAlarmValue, value) : null;
      return found?.ok && found.value.type === type ? [found.value] : [];
    })[0];
  const sums = () => parse(FleetAccountValue, fleetAt(webSocket).get(fleetAccountKey(farm.accountId)));
  const until = (isSo: () => unknown) => expect.poll(isSo, { timeout: EVERYTHING_MS });
  beforeAll(async () => {
    stack = await startStack();
    farm = await registerFarm(stack, "unvisited", 31_000_001);
  });
  afterAll(async () => {
    webSocket?.close();
    await farm?.close();
    await stack?.close();
  });

  it("[WATCH-1] raises the alarm of an opening at its controller", async () => {
    await farm.say({ onoff: 2 });
    await farm.say({ onoff: 1 });
    // An administrator's view of the fleet starts no watch of an account: it only shows the alarm.
    await look();
    await until(() => alarm("external-open")).toMatchObject({
      ...{ account: farm.accountId, username: "unvisited", priority: 2, active: true },
      valve: { controllerId: farm.controllerId, channelId: farm.channelId, onoff: 1 },
    });
    await until(() => sums()).toMatchObject({
      value: { phone: "010-0000-0001", controllers: 1, openValves: 1, unwatched: null },
    });
  });

  it("[WATCH-1] watches the farm after a kill of the relay, and keeps its alarm", async () => {
    await stack.relay.kill();
    await stack.relay.start();
    await look();
    await until(() => alarm("external-open")).toMatchObject({ active: true });
    await until(() => sums()).toMatchObject({ value: { openValves: 1, unwatched: null } });
  });

  it("[CMD-21] an administrator closes the valve, and the owner reads who did and why", async () => {
    const reason = "Runs without anyone there";
    const answer = await admin.post(relayPath.fleetClose, {
      ...{ accountId: farm.accountId, controllerId: farm.controllerId, channelId: farm.channelId, reason },
    });
    const { commandId } = await read(answer, CommandRecord);
    await until(() => farm.received.join("\n")).toContain(commandId);
    await farm.say({ onoff: 2, commandId });
    await until(() => alarm("external-open")?.active ?? false).toBe(false);
    await until(() => sums()).toMatchObject({ value: { openValves: 0 } });
    const owner = await signIn(stack.url, "unvisited");
    expect(await (await owner.get(relayPath.commands)).text()).toContain(reason);
    expect(await (await admin.get("/api/v1/admin/audit")).text()).toContain(reason);
  });

  it("[WATCH-2] names the farm as not watched once its owner has stopped it", async () => {
    const owner = await signIn(stack.url, "unvisited");
    await owner.post(relayPath.stopWatching, {});
    // Its owner on the node lingers, and the list is read every half a minute.
    await expect.poll(sums, { timeout: 150_000 }).toMatchObject({
      value: { openValves: null, unwatched: { reason: "stopped-by-owner" } },
    });
  }, 180_000);
});
