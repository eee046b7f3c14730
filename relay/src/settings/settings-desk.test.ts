import { DEFAULT_SETTINGS } from "@mulkko/shared/rest/settings";
import { expect, test } from "vitest";
import type { SettingsStore } from "../ports/durable.ts";
import type { SettingsChange } from "../ports/settings.ts";
import { createKeptLog } from "../testing/kept-log.ts";
import { createSettingsDesk } from "./settings-desk.ts";

function storeOf(kept: unknown): SettingsStore & { fails: Error | null; kept: unknown } {
  const store = {
    fails: null as Error | null,
    kept,
    get: async () => store.kept,
    async put(settings: object) {
      if (store.fails) throw store.fails;
      store.kept = settings;
    },
  };
  return store;
}

const STATE = new Map<string, Readonly<Record<string, unknown>>>([
  ["controller:c", { info: { id: "c" } }],
  ["sensor:cot", { info: { id: "cot", deviceType: "COT" } }],
  ["channel:11", { controllerId: "c", sensorIds: ["soil"] }],
  ["channel:12", { controllerId: "c", sensorIds: [] }],
  ["channel:cot:1", { controllerId: "cot", sensorIds: ["cot"] }],
  ["sensor:soil", { info: { id: "soil", deviceType: "SMS" } }],
  ["sensor:flow", { info: { id: "flow", deviceType: "WATERFLOW" } }],
]);

const deskOf = async (store: SettingsStore) => {
  const log = createKeptLog();
  const changes: SettingsChange["about"][] = [];
  const desk = await createSettingsDesk({
    store,
    state: STATE,
    log,
    onChanged: ({ about }) => void changes.push(about),
  });
  return { desk, log, changes };
};

test("[RUN-1] an account that has set nothing runs for 10 minutes, and for 120 at most", async () => {
  const { desk } = await deskOf(storeOf(undefined));
  expect([desk.runs.defaultSeconds("c", "11"), desk.runs.capSeconds("c")]).toEqual([600, 7_200]);
  expect(desk.adoptExternal).toBe(false);
});

test("[RUN-1] a default that lies above a cap that was lowered since is the cap", async () => {
  const { desk } = await deskOf(storeOf(undefined));
  await desk.change({ about: "channel", id: "11", defaultRunSeconds: 1_800 });
  await desk.change({ about: "channel", id: "12", defaultRunSeconds: 180 });
  await desk.change({ about: "controller", id: "c", maxRunSeconds: 300 });
  const defaults = ["11", "12", "13"].map((id) => desk.runs.defaultSeconds("c", id));
  expect(defaults).toEqual([300, 180, 300]);
});

test("[NAME-1] a channel's name is its own, trimmed, and apart from what else is set of it", async () => {
  const store = storeOf(undefined);
  const { desk } = await deskOf(store);
  await desk.change({ about: "channel", id: "11", name: " Tomatoes  " });
  await desk.change({ about: "channel", id: "11", defaultRunSeconds: 120 });
  await desk.change({ about: "channel", id: "cot:1", name: "Old valve" });
  expect(["11", "12", "cot:1"].map(desk.nameOf)).toEqual(["Tomatoes", null, "Old valve"]);
  await desk.change({ about: "channel", id: "11", name: null });
  await desk.change({ about: "channel", id: "cot:1", name: null });
  expect(store.kept).toEqual({ ...DEFAULT_SETTINGS, channels: { "11": { defaultRunSeconds: 120 } } });
});

test("[RUN-1] what is taken back holds its default again, and is kept no more", async () => {
  const store = storeOf(undefined);
  const { desk } = await deskOf(store);
  await desk.change({ about: "controller", id: "cot", maxRunSeconds: 300 });
  await desk.change({ about: "channel", id: "cot:1", defaultRunSeconds: 120, flowSensorId: "flow" });
  await desk.change({ about: "channel", id: "cot:1", defaultRunSeconds: null });
  expect(store.kept).toEqual({
    adoptExternal: false,
    controllers: { cot: { maxRunSeconds: 300 } },
    channels: { "cot:1": { flowSensorId: "flow" } },
  });
  await desk.change({ about: "controller", id: "cot", maxRunSeconds: null });
  await desk.change({ about: "channel", id: "cot:1", flowSensorId: null });
  expect(store.kept).toEqual(DEFAULT_SETTINGS);
});

test("[RUN-1] two changes at once are both kept", async () => {
  const { desk } = await deskOf(storeOf(undefined));
  await Promise.all([
    desk.change({ about: "channel", id: "11", defaultRunSeconds: 120 }),
    desk.change({ about: "channel", id: "12", defaultRunSeconds: 240 }),
    desk.change({ about: "account", adoptExternal: true }),
  ]);
  expect(await desk.get()).toEqual({
    adoptExternal: true,
    controllers: {},
    channels: { "11": { defaultRunSeconds: 120 }, "12": { defaultRunSeconds: 240 } },
  });
});

test("[RUN-1] what the account does not have is unknown, and a default above the cap is refused", async () => {
  const { desk, changes } = await deskOf(storeOf(undefined));
  const why = async (change: Parameters<typeof desk.change>[0]) => {
    const answer = await desk.change(change);
    return answer.ok ? null : answer.why;
  };
  expect(await why({ about: "channel", id: "99", defaultRunSeconds: 60 })).toBe("unknown");
  expect(await why({ about: "controller", id: "11", maxRunSeconds: 60 })).toBe("unknown");
  expect(await why({ about: "controller", id: "__proto__", maxRunSeconds: 60 })).toBe("unknown");
  expect(changes).toEqual([]);
  expect(await why({ about: "controller", id: "c", maxRunSeconds: 600 })).toBeNull();
  expect(await why({ about: "channel", id: "11", defaultRunSeconds: 601 })).toBe("above-cap");
});

test("[WAT-1] a channel's flow meter is any WATERFLOW sensor of the account but the channel's own", async () => {
  const { desk } = await deskOf(storeOf(undefined));
  const link = (id: string, flowSensorId: string) => desk.change({ about: "channel", id, flowSensorId });
  expect(await link("11", "soil")).toEqual({ ok: false, why: "own-sensor" });
  expect(await link("12", "soil")).toEqual({ ok: false, why: "no-flow-meter" });
  expect(await link("11", "elsewhere")).toEqual({ ok: false, why: "no-flow-meter" });
  expect(desk.flowSensorOf("11")).toBeNull();
  expect(await link("11", "flow")).toMatchObject({ ok: true });
  expect(desk.flowSensorOf("11")).toBe("flow");
});

test("[RUN-1] settings that could not be kept do not hold, and hold up none after them", async () => {
  const store = storeOf(undefined);
  const { desk, changes } = await deskOf(store);
  const change = { about: "account", adoptExternal: true } as const;
  store.fails = new Error("disk full");
  await expect(desk.change(change)).rejects.toThrow("disk full");
  store.fails = new RangeError("more than is kept");
  expect(await desk.change(change)).toEqual({ ok: false, why: "too-many" });
  expect([desk.adoptExternal, changes.length]).toEqual([false, 0]);
  store.fails = null;
  await desk.change(change);
  expect([desk.adoptExternal, changes.length]).toEqual([true, 1]);
});

test("[RUN-1] stored settings that nobody can read are left for the defaults, and it is said", async () => {
  const { desk, log } = await deskOf(storeOf({ adoptExternal: "often" }));
  expect(desk.adoptExternal).toBe(false);
  expect(log.lines.map(({ level }) => level)).toEqual(["error"]);
});
