import { CommandRecord } from "@mulkko/shared/rest/command";
import { controllerCommand } from "@mulkko/shared/rest/operations/controllers";
import { relayPath } from "@mulkko/shared/rest/routes";
import { AccountSettings } from "@mulkko/shared/rest/settings";
import { buildController, buildSensor } from "@mulkko/shared/testing/builders";
import { read } from "@mulkko/testing/stack/account";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { buildFakeAccount } from "../../testing/fake-farm-api.ts";
import { type RelayHarness, refusalOf, startRelayHarness } from "../../testing/relay-harness.ts";

const CONTROLLER = String(buildController().id);
const FLOW = "10000000-0000-4000-8000-00000000f10e";

describe("settings routes", () => {
  let harness: RelayHarness;
  beforeAll(async () => {
    harness = await startRelayHarness(
      buildFakeAccount({
        sensors: [buildSensor(), buildSensor({ id: FLOW, deviceType: "WATERFLOW", latestLog: null })],
        controllers: [buildController()],
      }),
    );
    harness.api.accounts.push(
      buildFakeAccount({
        account: { ...buildFakeAccount().account, id: "00000000-0000-4000-8000-000000000002" },
        token: "token-neighbour",
      }),
    );
  });
  afterAll(() => harness.close());

  const call: RelayHarness["call"] = (...asked) => harness.call(...asked);
  const channel = (body: object, id = "11", token?: string) =>
    call("PUT", relayPath.channelSettings(id), body, token);
  const controller = (body: object, id = CONTROLLER, token?: string) =>
    call("PUT", relayPath.controllerSettings(id), body, token);

  test("[RUN-1] a controller's cap and a channel's default apply from the next command on", async () => {
    expect((await controller({ maxRunSeconds: 1_200 })).status).toBe(200);
    const answer = await channel({ defaultRunSeconds: 900, flowSensorId: FLOW });
    const settings = await answer.json();
    expect(settings).toEqual({
      adoptExternal: false,
      controllers: { [CONTROLLER]: { maxRunSeconds: 1_200 } },
      channels: { "11": { defaultRunSeconds: 900, flowSensorId: FLOW } },
    });
    expect(await (await call("GET", relayPath.settings)).json()).toEqual(settings);
    const press = (maxRunSeconds?: number) =>
      call("POST", controllerCommand.path, {
        uuid: CONTROLLER,
        command: "onoff",
        channel: 1,
        payload: 1,
        ...(maxRunSeconds !== undefined && { maxRunSeconds }),
      });
    expect(await refusalOf(press(1_201))).toBe("422 run-too-long");
    const { until } = await read(await press(), CommandRecord);
    expect(Math.round((Date.parse(until ?? "") - Date.now()) / 60_000)).toBe(15);
  });

  test("[RUN-1] omitted fields stay, and null resets; the account's own setting is separate", async () => {
    await channel({ defaultRunSeconds: 300, flowSensorId: FLOW });
    expect((await call("PUT", relayPath.settings, { adoptExternal: true })).status).toBe(200);
    const answer = await channel({ defaultRunSeconds: null });
    expect(await answer.json()).toMatchObject({
      adoptExternal: true,
      channels: { "11": { flowSensorId: FLOW } },
    });
  });

  test("[NAME-1] a channel's name is stored beside its run time, and can be reset", async () => {
    await channel({ defaultRunSeconds: 300, flowSensorId: null, name: "Tomatoes" });
    expect(await (await channel({ flowSensorId: FLOW })).json()).toMatchObject({
      channels: { "11": { name: "Tomatoes", defaultRunSeconds: 300, flowSensorId: FLOW } },
    });
    const { channels } = await read(await channel({ name: null }), AccountSettings);
    expect(channels["11"]).toEqual({ defaultRunSeconds: 300, flowSensorId: FLOW });
  });

  test("[WAT-5] a channel's largest flow is stored beside its meter, and can be reset", async () => {
    await channel({ flowSensorId: FLOW, largestFlow: 12.5 });
    const { channels } = await read(await channel({ defaultRunSeconds: 300 }), AccountSettings);
    expect(channels["11"]).toMatchObject({ flowSensorId: FLOW, largestFlow: 12.5 });
    const { channels: reset } = await read(await channel({ largestFlow: null }), AccountSettings);
    expect(reset["11"]).not.toHaveProperty("largestFlow");
    for (const largestFlow of [0, -1, 10_001, "much"]) {
      expect(await refusalOf(channel({ largestFlow }))).toBe("422 validation largestFlow");
    }
  });

  test("[RUN-1] another account's devices are not found", async () => {
    const foreign = [
      channel({ defaultRunSeconds: 300 }, "11", "token-neighbour"),
      channel({ defaultRunSeconds: 300 }, "12"),
      controller({ maxRunSeconds: 300 }, CONTROLLER, "token-neighbour"),
      controller({ maxRunSeconds: 300 }, "11"),
    ];
    expect(await Promise.all(foreign.map(refusalOf))).toEqual(Array(4).fill("404 not-found"));
    expect(await refusalOf(channel({ defaultRunSeconds: 300 }, "11", "token-stranger"))).toBe(
      "401 unauthorized",
    );
  });

  test("[RUN-1] an owner raises a controller's cap up to a day", async () => {
    expect((await controller({ maxRunSeconds: 86_400 })).status).toBe(200);
    expect((await channel({ defaultRunSeconds: 43_200 })).status).toBe(200);
    await channel({ defaultRunSeconds: null });
  });

  test("[RUN-1] refuses invalid settings with a specific code", async () => {
    await controller({ maxRunSeconds: 600 });
    const senseless = [
      controller({ maxRunSeconds: 86_401 }),
      controller({ maxRunSeconds: 59 }),
      controller({}),
      channel({ defaultRunSeconds: 601 }),
      channel({ defaultRunSeconds: "long" }),
      channel({ flowSensorId: String(buildSensor().id) }),
      channel({ flowSensorId: "nobody's" }),
      channel({ name: "" }),
      channel({ name: "   " }),
      channel({ name: "Bed\nfront" }),
      channel({ name: "가".repeat(41) }),
      call("PUT", relayPath.settings, { adoptExternal: "yes" }),
    ];
    expect(await Promise.all(senseless.map(refusalOf))).toEqual([
      "422 validation maxRunSeconds",
      "422 validation maxRunSeconds",
      "422 validation maxRunSeconds",
      "422 validation defaultRunSeconds",
      "422 validation defaultRunSeconds",
      "422 validation flowSensorId",
      "422 validation flowSensorId",
      ...Array(4).fill("422 validation name"),
      "422 validation adoptExternal",
    ]);
    expect(await refusalOf(channel({}))).toMatch(/^422 validation/);
  });
});
