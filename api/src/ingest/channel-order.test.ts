import { VALVE_OFF, VALVE_ON, VALVE_UNKNOWN } from "@mulkko/shared/rules/valve";
import { expect, test } from "vitest";
import type { ReceivedReport } from "../devices/received.ts";
import { ChannelOrder } from "./channel-order.ts";

const START = Date.UTC(2026, 10, 28);
const reportOf = (
  onoff: typeof VALVE_ON | typeof VALVE_OFF,
  at: number,
  heardAt: number,
): ReceivedReport => ({
  ...{ deviceId: "box", number: 1, onoff, at: START + at, heardAt: START + heardAt, isLive: true },
  ...{ arrival: heardAt, clockWrongSince: null, moisture: null, runUntil: null, commandId: null },
  ...{ fwversion: null, rssi: null, modes: {} },
});
const judge = (order: ChannelOrder, report: ReceivedReport, monotonic: number) =>
  order.judge({ report, ownAt: report.at }, monotonic);

/** An open valve, whose older report arrives last and contradicts it. */
function contested() {
  const order = new ChannelOrder();
  judge(order, reportOf(VALVE_ON, 60_000, 60_000), 0);
  const older = reportOf(VALVE_OFF, 30_000, 70_000);
  expect(judge(order, older, 1_000)).toMatchObject({ kind: "contested", report: { onoff: VALVE_UNKNOWN } });
  return { order, older };
}

test("[ORD-5] a contested report that is sent again, because it was not stored, is no answer", () => {
  const { order, older } = contested();
  expect(judge(order, { ...older, heardAt: START + 71_000 }, 2_000)).toMatchObject({
    kind: "news",
    report: { onoff: VALVE_UNKNOWN, logged: { onoff: VALVE_OFF } },
  });
  const answer = reportOf(VALVE_ON, 72_000, 72_000);
  expect(judge(order, answer, 3_000)).toMatchObject({ kind: "news", report: { onoff: VALVE_ON } });
});

test("[ORD-5] a settled report that could not be stored is settled again, unless a newer one has arrived", () => {
  const { order } = contested();
  const [settled, ...more] = order.settle(20_000);
  expect([settled?.onoff, more]).toEqual([VALVE_OFF, []]);
  if (!settled) return;
  order.unsettle(settled, 20_000);
  expect(order.settle(40_000)).toHaveLength(1);
  order.unsettle(settled, 40_000);
  judge(order, reportOf(VALVE_ON, 99_000, 99_000), 41_000);
  order.unsettle(settled, 42_000);
  expect(order.settle(90_000)).toEqual([]);
});
