import { topic } from "@mulkko/shared/mqtt/topics";
import { reservationAdd } from "@mulkko/shared/rest/operations/controllers";
import { pathTo } from "@mulkko/shared/rest/operations/operation";
import { eventually } from "@mulkko/shared/testing/eventually";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Callers, listenAsRelay, type ReceivedOutput, signInAll } from "../../../testing/callers.ts";
import { FARMER, startTestFarm, type TestFarm, VALVES } from "../../../testing/test-farm.ts";

let farm: TestFarm;
let callers: Callers;
let outputs: ReceivedOutput[];
beforeAll(async () => {
  farm = await startTestFarm();
  callers = await signInAll(farm);
  outputs = await listenAsRelay(farm);
});
afterAll(() => farm.close());

const reserve = () =>
  callers.ask("POST", pathTo(reservationAdd, { channelId: 1 }), {
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
/** Report that all flags of the controller are clear. */
async function finish(modeRevision: number) {
  farm.clock.advance(1_000);
  const valves = await farm.connect(VALVES);
  const flags = { automatic: 0, reservation: 0, period: 0, modeRevision };
  const state = JSON.stringify({ onoff: 2, at: new Date(farm.clock.now()).toISOString(), ...flags });
  await valves.publishAsync(topic.channelState(VALVES.serial, 1), state, { qos: 1 });
  await valves.endAsync();
}

test("[watering] deactivates a mode that its controller has finished, and notifies the relay", async () => {
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

test("[watering] keeps a mode that was activated again since, whatever the report of the earlier one", async () => {
  await reserve();
  const before = await stored();
  await reserve();
  await finish(before?.revision ?? -1);
  expect(await stored()).toEqual({ mode: "reservation", revision: (before?.revision ?? 0) + 1 });
});
