import { expect, test } from "vitest";
import type { SettingsStore } from "../ports/durable.ts";
import { createKeptLog } from "../testing/kept-log.ts";
import { createSettingsDesk } from "./settings-desk.ts";

function storeOf(kept: unknown): SettingsStore & { fails: boolean; kept: unknown } {
  const store = {
    fails: false,
    kept,
    get: async () => store.kept,
    async put(settings: object) {
      if (store.fails) throw new Error("disk full");
      store.kept = settings;
    },
  };
  return store;
}
const deskOf = async (store: SettingsStore) => {
  const log = createKeptLog();
  const changes: number[] = [];
  const desk = await createSettingsDesk({ store, log, onChanged: () => void changes.push(1) });
  return { desk, log, changes };
};

test("[RUN-1] an account that has set nothing runs for 10 minutes, and for 120 at most", async () => {
  const { desk } = await deskOf(storeOf(undefined));
  expect([desk.runs.defaultSeconds("c", 1), desk.runs.capSeconds("c")]).toEqual([600, 7_200]);
  expect(desk.adoptExternal).toBe(false);
});

test("[RUN-1] a default that lies above a cap that was lowered since is the cap", async () => {
  const controllers = { c: { capMinutes: 5, defaultMinutes: { "1": 30, "2": 3 } } };
  const { desk } = await deskOf(storeOf({ adoptExternal: true, controllers, flowMeters: {} }));
  expect(desk.runs.defaultSeconds("c", 1)).toBe(300);
  expect(desk.runs.defaultSeconds("c", 2)).toBe(180);
  expect(desk.runs.defaultSeconds("c", 3)).toBe(300);
  expect(desk.adoptExternal).toBe(true);
});

test("[RUN-1] settings that could not be kept do not hold", async () => {
  const store = storeOf(undefined);
  const { desk, changes } = await deskOf(store);
  const settings = { adoptExternal: true, controllers: {}, flowMeters: {} };
  store.fails = true;
  await expect(desk.put(settings)).rejects.toThrow("disk full");
  expect([desk.adoptExternal, changes.length]).toEqual([false, 0]);
  store.fails = false;
  await desk.put(settings);
  expect([desk.adoptExternal, changes.length]).toEqual([true, 1]);
  expect(await desk.get()).toEqual(settings);
});

test("[RUN-1] stored settings that nobody can read are left for the defaults, and it is said", async () => {
  const { desk, log } = await deskOf(storeOf({ adoptExternal: "often" }));
  expect(desk.adoptExternal).toBe(false);
  expect(log.lines.map(({ level }) => level)).toEqual(["error"]);
});
