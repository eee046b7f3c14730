import { DEFAULT_SETTINGS } from "@mulkko/shared/rest/settings";
import { expect, test } from "vitest";
import { anySettings, foundSingle } from "../../testing/any-documents.ts";
import { createCapturedLog } from "../../testing/captured-log.ts";
import { createFakeDocuments } from "../../testing/fake-documents.ts";
import { createFakeWriter } from "../../testing/valves/fake-writer.ts";
import { createAccountState } from "../account/account-state.ts";
import { putSingle } from "../store/collections.ts";
import { Documents } from "../store/documents.ts";
import type { SettingsChange } from "./settings-calls.ts";
import { createSettingsService } from "./settings-service.ts";

async function storeOf(kept: unknown) {
  const { texts } = createFakeDocuments();
  const store = {
    fails: null as Error | null,
    documents: new Documents({
      ...texts,
      async write(changes) {
        if (store.fails) throw store.fails;
        await texts.write(changes);
      },
    }),
    kept: () => foundSingle(store.documents, anySettings),
  };
  if (kept !== undefined) await store.documents.write([putSingle(anySettings, kept)]);
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

const serviceOf = async (store: { readonly documents: Documents }) => {
  const log = createCapturedLog();
  const changes: (string | null)[] = [];
  const state = createAccountState(createFakeWriter());
  for (const [key, value] of STATE) state.set(key, value);
  state.on("settingsChanged", (channelId) => void changes.push(channelId));
  const service = await createSettingsService({
    store: store.documents,
    state,
    log,
  });
  return { service, log, changes };
};

test("[RUN-1] an account without settings runs for 10 minutes, and for 120 at most", async () => {
  const { service } = await serviceOf(await storeOf(undefined));
  expect([service.runs.defaultSeconds("c", "11"), service.runs.capSeconds("c")]).toEqual([600, 7_200]);
  expect(service.adoptExternal).toBe(false);
});

test("[RUN-1] a default above a cap that was lowered later is the cap", async () => {
  const { service } = await serviceOf(await storeOf(undefined));
  await service.change({ change: { about: "channel", id: "11", defaultRunSeconds: 1_800 } });
  await service.change({ change: { about: "channel", id: "12", defaultRunSeconds: 180 } });
  await service.change({ change: { about: "controller", id: "c", maxRunSeconds: 43_200 } });
  expect(service.runs.capSeconds("c")).toBe(43_200);
  await service.change({ change: { about: "controller", id: "c", maxRunSeconds: 300 } });
  const defaults = ["11", "12", "13"].map((id) => service.runs.defaultSeconds("c", id));
  expect(defaults).toEqual([300, 180, 300]);
});

test("[NAME-1] a channel's name is trimmed, and separate from its other settings", async () => {
  const store = await storeOf(undefined);
  const { service } = await serviceOf(store);
  await service.change({ change: { about: "channel", id: "11", name: " Tomatoes  " } });
  await service.change({ change: { about: "channel", id: "11", defaultRunSeconds: 120 } });
  await service.change({ change: { about: "channel", id: "cot:1", name: "Old valve" } });
  expect(["11", "12", "cot:1"].map(service.nameOf)).toEqual(["Tomatoes", null, "Old valve"]);
  await service.change({ change: { about: "channel", id: "11", name: null } });
  await service.change({ change: { about: "channel", id: "cot:1", name: null } });
  expect(await store.kept()).toEqual({ ...DEFAULT_SETTINGS, channels: { "11": { defaultRunSeconds: 120 } } });
});

test("[RUN-1] a reset setting returns to its default, and is no longer stored", async () => {
  const store = await storeOf(undefined);
  const { service } = await serviceOf(store);
  await service.change({ change: { about: "controller", id: "cot", maxRunSeconds: 300 } });
  await service.change({
    change: { about: "channel", id: "cot:1", defaultRunSeconds: 120, flowSensorId: "flow" },
  });
  await service.change({ change: { about: "channel", id: "cot:1", defaultRunSeconds: null } });
  expect(await store.kept()).toEqual({
    adoptExternal: false,
    controllers: { cot: { maxRunSeconds: 300 } },
    channels: { "cot:1": { flowSensorId: "flow" } },
  });
  await service.change({ change: { about: "controller", id: "cot", maxRunSeconds: null } });
  await service.change({ change: { about: "channel", id: "cot:1", flowSensorId: null } });
  expect(await store.kept()).toEqual(DEFAULT_SETTINGS);
});

test("[RUN-1] two concurrent changes are both stored", async () => {
  const { service } = await serviceOf(await storeOf(undefined));
  await Promise.all([
    service.change({ change: { about: "channel", id: "11", defaultRunSeconds: 120 } }),
    service.change({ change: { about: "channel", id: "12", defaultRunSeconds: 240 } }),
    service.change({ change: { about: "account", adoptExternal: true } }),
  ]);
  expect(await service.get()).toEqual({
    adoptExternal: true,
    controllers: {},
    channels: { "11": { defaultRunSeconds: 120 }, "12": { defaultRunSeconds: 240 } },
  });
});

test("[RUN-1] a device of another account is unknown, and a default above the cap is refused", async () => {
  const { service, changes } = await serviceOf(await storeOf(undefined));
  const why = async (change: SettingsChange) => {
    const answer = await service.change({ change });
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
  const { service } = await serviceOf(await storeOf(undefined));
  const link = (id: string, flowSensorId: string) =>
    service.change({ change: { about: "channel", id, flowSensorId } });
  expect(await link("11", "soil")).toEqual({ ok: false, why: "own-sensor" });
  expect(await link("12", "soil")).toEqual({ ok: false, why: "no-flow-meter" });
  expect(await link("11", "elsewhere")).toEqual({ ok: false, why: "no-flow-meter" });
  expect(service.flowSensorOf("11")).toBeNull();
  expect(await link("11", "flow")).toMatchObject({ ok: true });
  expect(service.flowSensorOf("11")).toBe("flow");
});

test("[RUN-1] settings that could not be stored do not apply, and do not block later ones", async () => {
  const store = await storeOf(undefined);
  const { service, changes } = await serviceOf(store);
  const change = { about: "account", adoptExternal: true } as const;
  store.fails = new Error("disk full");
  await expect(service.change({ change })).rejects.toThrow("disk full");
  store.fails = new RangeError("more than is kept");
  expect(await service.change({ change })).toEqual({ ok: false, why: "too-many" });
  expect([service.adoptExternal, changes.length]).toEqual([false, 0]);
  store.fails = null;
  await service.change({ change });
  expect([service.adoptExternal, changes.length]).toEqual([true, 1]);
});

test("[RUN-1] unreadable stored settings are replaced by the defaults, and logged", async () => {
  const { service, log } = await serviceOf(await storeOf({ adoptExternal: "often" }));
  expect(service.adoptExternal).toBe(false);
  expect(log.lines.map(({ level }) => level)).toEqual(["error"]);
});
