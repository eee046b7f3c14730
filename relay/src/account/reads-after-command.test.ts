import {
  channelMoisture,
  channelState,
  controllerCommand,
  controllerList,
} from "@mulkko/shared/rest/operations/controllers";
import { clusterList } from "@mulkko/shared/rest/operations/farms";
import { notificationList } from "@mulkko/shared/rest/operations/notifications";
import { pathTo } from "@mulkko/shared/rest/operations/operation";
import { sensorList } from "@mulkko/shared/rest/operations/sensors";
import { buildAccount, buildController } from "@mulkko/shared/testing/builders";
import { createFakeClock } from "@mulkko/shared/testing/fake-clock";
import { createFakeTimers } from "@mulkko/shared/testing/fake-timers";
import { expect, test } from "vitest";
import { createCapturedLog } from "../../testing/captured-log.ts";
import { createFakeUpstream } from "../../testing/fake-upstream.ts";
import { createHarnessOwners } from "../../testing/harness-owners.ts";
import { createTestStore } from "../../testing/test-store.ts";
import { stateOf } from "../store/streams.ts";
import type { UpstreamClient } from "../upstream/client.ts";
import { UpstreamStatusError } from "../upstream/errors.ts";
import { createLinkMonitor } from "../upstream/link-monitor.ts";
import { OwnedValves } from "../valves/valve-service.ts";

const REFRESH = pathTo(channelState, { serial: 200001, channelId: 11 });
const fail = (error: unknown): never => {
  throw error;
};

/** Start the real owner with the real valves, in front of a plain API; its viewer looks at another key. */
async function createHarness() {
  const clock = createFakeClock();
  const timers = createFakeTimers(clock);
  const api = createFakeUpstream();
  const asked: number[] = [];
  let pressedAt = 0;
  const client: UpstreamClient = {
    get(path, schema, options) {
      if (path === REFRESH) asked.push((clock.now() - pressedAt) / 1_000);
      return api.get(path, schema, options);
    },
    send: api.send,
  };
  api.answerOthers(new UpstreamStatusError("not found", 404, "not-found", null));
  for (const path of [sensorList.path, clusterList.path, notificationList.path]) api.answer(path, []);
  api.answer(controllerList.path, [buildController()]);
  api.answer(pathTo(channelMoisture, { channelId: 11 }), 31.5);
  api.answer(controllerCommand.path, null);
  api.answer(REFRESH, { onoff: 2 });
  const link = createLinkMonitor({ clock, timers, mqtt: "off", store: "embedded", onError: fail });
  link.reachable(true);
  const store = createTestStore({ clock, timers });
  const owners = createHarnessOwners({
    api: { ...api, ...client },
    store,
    link,
    clock,
    timers,
    log: createCapturedLog(),
    createService: OwnedValves.load,
  });
  const account = buildAccount();
  const proven = { account, accountId: String(account.id), expiresAt: clock.now() + 1_800_000 };
  const viewer = await owners.view(proven, "token-of-kim");
  viewer.track(new Set(["farm:1"]));
  const service = await owners.service(proven, "token-of-kim");
  await timers.pass(10_000);
  const pass = (seconds: number) => timers.pass(seconds * 1_000);
  return {
    api,
    pass,
    asked,
    commandShown: () => stateOf(viewer.devices)["channel:11"]?.command,
    async press() {
      pressedAt = clock.now();
      asked.length = 0;
      void service.command({
        commandId: "press-1",
        controllerId: String(buildController().id),
        number: 1,
        command: "onoff",
        payload: 1,
        target: 1,
        maxRunSeconds: 600,
        by: { id: "u1", nickname: "Kim" },
        token: "token-of-kim",
        form: "controller",
        origin: "screen",
        traceId: "trace",
      });
      await pass(0);
    },
  };
}

test("[POLL-6] polls a commanded channel after 2 s, then with growing gaps for 60 s", async () => {
  const { press, pass, asked } = await createHarness();
  await press();
  await pass(60);
  expect(asked).toEqual([2, 5.2, 9, 14, 20, 30, 45, 58]);
});

test("[POLL-6] completes the command once two answers show it open, and then polls at an open channel's rate", async () => {
  const { press, pass, asked, api, commandShown } = await createHarness();
  await press();
  expect(commandShown()).toMatchObject({ target: 1, state: "accepted" });
  api.answer(REFRESH, { onoff: 1 });
  await pass(6);
  expect(commandShown()).toBeNull();
  await pass(45);
  expect(asked).toEqual([2, 5.2, 20.2, 35.2, 50.2]);
});
