import { topic } from "@mulkko/shared/mqtt/topics";
import { eventually } from "@mulkko/shared/testing/eventually";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Callers, type HeardOutput, listenAsRelay, signInAll } from "../../testing/callers.ts";
import { FARMER, startTestFarm, type TestFarm, VALVES } from "../../testing/test-farm.ts";

let farm: TestFarm;
let callers: Callers;
let outputs: HeardOutput[];
beforeAll(async () => {
  farm = await startTestFarm();
  callers = await signInAll(farm);
  outputs = await listenAsRelay(farm);
});
afterAll(() => farm.close());

const reserve = () =>
  callers.ask("POST", "/api/v1/controller/channel/1/reservation", {
    onTime: "06:00",
    offDelayMinutes: 5,
    repeat: 2,
  });
const stored = async () => {
  const [row] = await farm.app.database.query<{ mode: string; revision: number }>(
    "select mode, mode_revision as revision from channel where controller_id = $1 and number = 1",
    [VALVES.id],
  );
  return row;
};
/** The controller says that all its flags are out. */
async function finish(modeRevision: number) {
  farm.clock.advance(1_000);
  const valves = await farm.connect(VALVES);
  const flags = { automatic: 0, reservation: 0, period: 0, modeRevision };
  const state = JSON.stringify({ onoff: 2, at: new Date(farm.clock.now()).toISOString(), ...flags });
  await valves.publishAsync(topic.channelState(VALVES.serial, 1), state, { qos: 1 });
  await valves.endAsync();
}

test("[watering] a mode that its controller has finished goes out of charge, and the relay hears of it", async () => {
  await reserve();
  const before = await stored();
  expect(before?.mode).toBe("reservation");
  outputs.length = 0;
  await finish(before?.revision ?? -1);
  expect((await stored())?.mode).toBe("none");
  await eventually(() =>
    expect(outputs).toContainEqual(
      expect.objectContaining({
        topic: topic.outChanged(FARMER),
        body: expect.objectContaining({ entity: "channel" }),
      }),
    ),
  );
});

test("[watering] one that was put in charge again since stays, whatever is said of the one before", async () => {
  await reserve();
  const before = await stored();
  await reserve();
  await finish(before?.revision ?? -1);
  expect(await stored()).toEqual({ mode: "reservation", revision: (before?.revision ?? 0) + 1 });
});
