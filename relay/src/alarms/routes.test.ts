import { Alarm } from "@mulkko/shared/live/alarm";
import { AlarmPage } from "@mulkko/shared/rest/alarm";
import { relayPath } from "@mulkko/shared/rest/routes";
import { buildController, buildSensor } from "@mulkko/shared/testing/builders";
import { read } from "@mulkko/testing/stack/account";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { buildFakeAccount } from "../../testing/fake-farm-api.ts";
import { type RelayHarness, refusalOf, startRelayHarness } from "../../testing/relay-harness.ts";

/** Run the real relay before an API with an external opening and a sensor that has been silent for years. */
describe("the alarms' own routes", () => {
  let harness: RelayHarness;
  const state = { valveOpen: "", offline: "" };
  const call: RelayHarness["call"] = (...asked) => harness.call(...asked);
  const present = async () => read(await call("GET", relayPath.alarms), AlarmPage);
  const inAnHour = () => new Date(Date.now() + 3_600_000).toISOString();

  beforeAll(async () => {
    const states = new Map([["200001/11", { onoff: 1 }]]);
    const account = buildFakeAccount({
      sensors: [
        buildSensor({ latestLog: { ...buildSensor().latestLog, createdDate: "2020-01-01 00:00:00" } }),
      ],
      controllers: [buildController()],
      states,
    });
    harness = await startRelayHarness(account);
    await vi.waitFor(async () => expect((await present()).totalElements).toBe(2), {
      timeout: 20_000,
      interval: 200,
    });
    for (const { id, type } of (await present()).content) {
      if (type === "external-open") state.valveOpen = id;
      else state.offline = id;
    }
  });
  afterAll(() => harness.close());

  test("[ALM-1] lists present alarms, the most urgent first, in pages", async () => {
    const page = await present();
    expect(page.content).toMatchObject([
      { type: "external-open", key: "channel:11", priority: 2, active: true },
      { type: "offline", key: "sensor:10000000-0000-4000-8000-000000000001", priority: 3, active: true },
    ]);
    const second = await read(await call("GET", `${relayPath.alarms}?page=2&size=1`), AlarmPage);
    expect(second).toMatchObject({ content: [{ id: state.offline }], totalElements: 2 });
    expect(await read(await call("GET", `${relayPath.alarms}?past=true`), AlarmPage)).toEqual({
      content: [],
      totalElements: 0,
    });
  });

  test("[ALM-2] stores who acknowledged, when, and their note; the first acknowledgement counts", async () => {
    const path = relayPath.acknowledgeAlarm(state.valveOpen);
    const alarm = await read(await call("POST", path, { comment: " I stand beside it " }), Alarm);
    expect(alarm.ack).toMatchObject({ by: { nickname: "Kim" }, comment: "I stand beside it" });
    const again = await read(await call("POST", path, {}), Alarm);
    expect(again.ack).toEqual(alarm.ack);
  });

  test("[ALM-3] snoozes with a reason and an end, and cancels the snooze", async () => {
    const path = relayPath.snoozeAlarm(state.offline);
    const until = inAnHour();
    const put = await read(await call("POST", path, { until, reason: "being repaired" }), Alarm);
    expect(put.snooze).toEqual({ until, reason: "being repaired" });
    expect((await read(await call("DELETE", path), Alarm)).snooze).toBeNull();
  });

  test("[ALM-3] refuses invalid requests, in the contract's format", async () => {
    const path = relayPath.snoozeAlarm(state.offline);
    const past = new Date(Date.now() - 1_000).toISOString();
    expect(await refusalOf(call("POST", path, { until: past, reason: "x" }))).toBe("422 validation until");
    expect(await refusalOf(call("POST", path, { until: inAnHour(), reason: "  " }))).toBe(
      "422 validation reason",
    );
    expect(await refusalOf(call("POST", path, { reason: "for ever" }))).toBe("422 validation until");
    expect(await refusalOf(call("POST", relayPath.acknowledgeAlarm("another's"), {}))).toBe("404 not-found");
    expect(await refusalOf(call("GET", `${relayPath.alarms}?size=9999`))).toBe("422 validation size");
  });

  test("[HS-2] refuses requests without a token of the account", async () => {
    expect(await refusalOf(call("GET", relayPath.alarms, undefined, "token-stranger"))).toBe(
      "401 unauthorized",
    );
    expect(await refusalOf(fetch(harness.origin + relayPath.alarms))).toBe("401 unauthorized");
    expect(await refusalOf(call("POST", relayPath.acknowledgeAlarm(state.offline), {}, "no"))).toBe(
      "401 unauthorized",
    );
  });

  test("[RUN-3] gives an end to an external opening, and to nothing else", async () => {
    const answer = call("POST", relayPath.closeIn(state.valveOpen), { minutes: 10 });
    const { detail } = await read(await answer, Alarm);
    expect(Math.round((Date.parse(String(detail?.closesAt)) - Date.now()) / 60_000)).toBe(10);
    const refused = [
      call("POST", relayPath.closeIn(state.offline), { minutes: 10 }),
      call("POST", relayPath.closeIn("nobody's"), { minutes: 10 }),
      call("POST", relayPath.closeIn(state.valveOpen), { minutes: 121 }),
    ].map(refusalOf);
    expect(await Promise.all(refused)).toEqual(["409 conflict", "404 not-found", "422 validation minutes"]);
  });

  test("[ALM-6] restores alarms, acknowledgements and settings after a restart", async () => {
    const settings = await (await call("PUT", relayPath.settings, { adoptExternal: true })).json();
    await harness.restart();
    const alarm = (await present()).content.find(({ id }) => id === state.valveOpen);
    expect(alarm).toMatchObject({ active: true, count: 1, ack: { comment: "I stand beside it" } });
    expect(await (await call("GET", relayPath.settings)).json()).toEqual(settings);
    expect(settings).toMatchObject({ adoptExternal: true });
  });

  test("[ALM-2] refuses more than a hundred calls in ten seconds", async () => {
    const answers = await Promise.all(Array.from({ length: 120 }, () => call("GET", relayPath.alarms)));
    expect(answers.some(({ status }) => status === 429)).toBe(true);
  });
});
