import { startPostgres } from "@mulkko/testing/engines/postgres";
import { expect, test } from "vitest";
import { startTestFarm, VALVES } from "../../../testing/test-farm.ts";
import { newState } from "../modes/engine-state.ts";
import { finishModes, lockChannel, savePeriod, setMode } from "../modes/repository.ts";
import { createSoftStore } from "./soft-store.ts";

const engines = {
  PGlite: async () => ({ environment: {}, stop: async () => undefined }),
  PostgreSQL: async () => {
    const server = await startPostgres();
    return { environment: { DATABASE_URL: server.url }, stop: () => server.stop() };
  },
};

test.each(Object.entries(engines))(
  "[drivers] what the engine remembers is kept by %s, and a finished mode goes out",
  async (_name, start) => {
    const { environment, stop } = await start();
    const farm = await startTestFarm(environment);
    const { database, deviceIndex } = farm.app;
    const device = deviceIndex.byId(VALVES.id);
    if (!device) throw new Error("the test farm has no controller");
    const moment = (ms: number) => ({ now: farm.clock.now() + ms, monotonic: 5_000 + ms });
    const channelId = await database.transaction(async (tx) => {
      const id = await lockChannel(tx, VALVES.id, 1);
      await savePeriod(tx, id, { wateringDuration: 5, wateringInterval: 60, repeat: false });
      await setMode(tx, id, "period");
      return id;
    });
    const run = { mode: "period" as const, startedAt: moment(0), endsAt: moment(300_000) };
    const state = { ...newState(moment(0)), charge: "x", run, taken: ["2026-11-21 06:00"] };
    const store = createSoftStore(database);
    await store.save(channelId, state);
    await store.save(channelId, state);
    const [loaded] = await store.load(device, moment(60_000));
    expect(loaded).toMatchObject({
      channelId,
      number: 1,
      settings: {
        active: "period",
        revision: 1,
        hasMoisture: true,
        period: { wateringInterval: 60, repeat: false },
      },
      engine: { run: { mode: "period", endsAt: moment(300_000) }, taken: ["2026-11-21 06:00"] },
      soft: { onoff: 0 },
    });
    const finish = (revision: number) =>
      finishModes(database, [{ deviceId: VALVES.id, number: 1, revision }]);
    expect(await finish(7)).toEqual([]);
    expect(await finish(1)).toEqual([{ channelId, deviceId: VALVES.id }]);
    expect(await finish(1)).toEqual([]);
    // The end of a run and of its mode are stored together, for this activation of the mode alone.
    await database.transaction((tx) => setMode(tx, channelId, "period"));
    const channel = { channelId, deviceId: VALVES.id, number: 1 };
    const end = { state: { ...state, run: null }, clears: "period" as const };
    const shown = async () => {
      const [one] = await store.load(device, moment(60_000));
      return [one?.engine.run, one?.settings.active];
    };
    await store.saveEnding(channel, { ...end, revision: 1 });
    expect(await shown()).toEqual([null, "period"]);
    await store.saveEnding(channel, { ...end, revision: 2 });
    expect(await shown()).toEqual([null, "none"]);
    await farm.close();
    await stop();
  },
  60_000,
);
