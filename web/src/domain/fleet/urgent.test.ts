import type { FleetAccountValue, FleetAlarmValue, FleetListValue } from "@mulkko/shared/live/fleet";
import { seededRandom } from "@mulkko/shared/testing/random";
import { describe, expect, it } from "vitest";
import { buildFleetAccount } from "../../testing/build-fleet-account.ts";
import { buildFleetAlarm } from "../../testing/build-fleet-alarm.ts";
import { fleetOfDevices } from "../../testing/build-fleet-device.ts";
import { boardOf, nameOrder } from "./board.ts";
import { isAmiss, rankOf } from "./device-state.ts";
import { NO_FILTER } from "./filter.ts";
import type { FleetStore, FleetValues } from "./fleet-store.ts";
import { accountsByTrouble } from "./morning.ts";
import {
  accountUrgency,
  alarmsOfDevice,
  closableValves,
  isAsking,
  unwatchedAccounts,
  urgencyPlace,
  urgentAlarms,
  urgentByAccount,
  urgentCount,
  waterOf,
} from "./urgent.ts";

const seed = Number(process.env.FUZZ_SEED ?? 20_261_128);

interface Parts {
  readonly accounts?: readonly FleetAccountValue[];
  readonly alarms?: readonly FleetAlarmValue[];
  readonly list?: Partial<FleetListValue> | undefined;
}

/** A store that holds these values. */
function storeOf({ accounts = [], alarms = [], list }: Parts): Pick<FleetStore, "all" | "list"> {
  const values: { readonly [K in keyof FleetValues]: ReadonlyMap<string, FleetValues[K]> } = {
    device: new Map(),
    account: new Map(accounts.map((account) => [`account:${account.id}`, account])),
    alarm: new Map(alarms.map((alarm) => [`alarm:${alarm.account}:${alarm.id}`, alarm])),
    command: new Map(),
    fleet: new Map(),
  };
  return {
    all: (kind) => values[kind],
    list: () => list && { loaded: 1, total: 1, knownSince: null, ...list },
  };
}

const ACK = { by: { id: "u1", nickname: "김다온" }, at: "2026-11-22T03:01:00Z", comment: null };
const SNOOZE = { until: "2026-11-23T03:00:00Z", reason: "repair" };

describe("[fleet] urgent alarms and water of all accounts", () => {
  it("[WARN-2] sorts P1 before P2 before everything else in any fleet, whatever the devices do", () => {
    const random = seededRandom(seed);
    const pick = <T>(...of: readonly [T, ...T[]]): T => of[Math.floor(random() * of.length)] ?? of[0];
    for (let round = 0; round < 300; round += 1) {
      const ids = Array.from({ length: 1 + Math.floor(random() * 12) }, (_, index) => `a${index}`);
      const alarms = Array.from({ length: Math.floor(random() * 15) }, (_, index) =>
        buildFleetAlarm({
          id: `x${index}`,
          account: pick(...(ids as [string, ...string[]])),
          priority: pick(1, 2),
          type: pick("open-too-long", "command-unconfirmed", "controller-offline", "no-access"),
          active: random() < 0.8,
          ack: random() < 0.2 ? ACK : null,
          snooze: random() < 0.1 ? SNOOZE : null,
          raisedAt: new Date(Date.UTC(2026, 10, 22) - random() * 1e8).toISOString(),
        }),
      );
      const asking = urgentByAccount(alarms);
      const devices = fleetOfDevices(
        Object.fromEntries(
          ids.map((id, index) => [
            `d${index}`,
            {
              account: id,
              username: id,
              kind: pick("controller", "sensor"),
              quality: pick("fresh", "late", "offline", "unknown"),
              battery: pick(3, 80),
              // As the relay: of the alarms that belong to this device.
              alarm: random() < 0.7 ? (asking.get(id) ?? null) : null,
            } as const,
          ]),
        ),
      );
      const shown = urgentAlarms(alarms).map(({ priority }) => priority);
      expect(shown, `seed ${seed}, round ${round}`).toEqual([...shown].sort());
      expect(urgentAlarms(alarms).filter(isAsking)).toHaveLength(alarms.filter(isAsking).length);

      const places = accountsByTrouble(
        ids.map((id) => buildFleetAccount({ id, username: id })),
        devices,
        asking,
      ).map(({ id }) => urgencyPlace(asking.get(`${id}`)));
      expect(places, `seed ${seed}, round ${round}`).toEqual([...places].sort());

      const { entries } = boardOf(devices, nameOrder(devices), NO_FILTER, (type) => type, asking);
      const headings = entries.flatMap((entry) => (entry.kind === "account" ? [entry.alarm] : []));
      expect(headings.map(urgencyPlace)).toEqual(headings.map(urgencyPlace).sort());
      for (const device of devices.values()) {
        if (device.alarm) expect([rankOf(device), isAmiss(device)]).toEqual([device.alarm - 1, true]);
        else expect(rankOf(device)).toBeGreaterThan(1);
      }
    }
  });

  it("[WARN-1] leaves out what ended, is snoozed or is an acknowledged P2; a running P1 stays", () => {
    const alarms = [
      buildFleetAlarm({ id: "p2", priority: 2 }),
      buildFleetAlarm({ id: "known p2", priority: 2, ack: ACK }),
      buildFleetAlarm({ id: "known p1", ack: ACK }),
      buildFleetAlarm({ id: "over", active: false, clearedAt: "2026-11-22T03:02:00Z" }),
      buildFleetAlarm({ id: "snoozed", priority: 2, snooze: SNOOZE }),
    ];
    expect(urgentAlarms(alarms).map(({ id }) => id)).toEqual(["known p1", "p2"]);
    expect([...urgentByAccount(alarms)]).toEqual([["a1", 2]]);
  });

  it("[WARN-4] counts what the stream leaves out, and knows nothing before the list is read", () => {
    const alarms = [buildFleetAlarm(), buildFleetAlarm({ id: "b", priority: 2 })];
    expect(urgentCount(storeOf({ alarms, list: { urgent: { p1: 5, p2: 0 } } }))).toEqual({
      ...{ p1: 5, p2: 1, known: true },
    });
    expect(urgentCount(storeOf({ alarms, list: { urgent: null } })).known).toBe(false);
    expect(urgentCount(storeOf({}))).toEqual({ p1: 0, p2: 0, known: false });
  });

  it("[WARN-2] takes an account's worst alarm where an earlier relay sends no alarms", () => {
    const accounts = [
      buildFleetAccount({ id: "a1", alarms: 1, worstAlarm: 1 }),
      buildFleetAccount({ id: "a2", alarms: 4, worstAlarm: 3 }),
    ];
    expect([...accountUrgency(storeOf({ accounts, list: {} }))]).toEqual([["a1", 1]]);
    // A relay that sends them has said that this one is known.
    expect([...accountUrgency(storeOf({ accounts, list: { urgent: { p1: 0, p2: 0 } } }))]).toEqual([]);
  });

  it("[WARN-4] never adds up what is not known, and says that it is not", () => {
    const open = { controllers: 2, openValves: 2, openBeyondEnd: 1, unknownValves: 0, unwatched: null };
    const calm = { controllers: 1, openValves: 0, openBeyondEnd: 0, unknownValves: 0, unwatched: null };
    const dark = { controllers: 1, openValves: null, openBeyondEnd: null, unknownValves: null };
    const list = { openValves: 2, openBeyondEnd: 1, unknownValves: 0, unwatched: 0 };
    const all = (...others: readonly FleetAccountValue[]) =>
      waterOf(
        storeOf({
          accounts: [
            buildFleetAccount({ id: "a", ...calm }),
            buildFleetAccount({ id: "b", ...open }),
            ...others,
          ],
          list,
        }),
      );
    expect(all()).toMatchObject({ open: 2, beyondEnd: 1, unknownAccounts: 0, known: true });
    expect(all().accounts.map(({ id }) => id)).toEqual(["b"]);
    const unread = buildFleetAccount({ id: "c", ...dark, unwatched: { reason: "no-session" } });
    expect(all(unread)).toMatchObject({ open: 2, unknownAccounts: 1, known: false });
    // An earlier relay says nothing, an account without valves has none.
    expect(all(buildFleetAccount({ id: "d" })).known).toBe(false);
    expect(all(buildFleetAccount({ id: "e", ...dark, controllers: 0 })).known).toBe(true);
    const silent = all(buildFleetAccount({ id: "f", ...calm, unknownValves: 3 }));
    expect(silent).toMatchObject({ open: 2, unknownValves: 3, known: false });
    expect(silent.accounts.map(({ id }) => id)).toEqual(["b", "f"]);
    expect(waterOf(storeOf({})).known).toBe(false);
    expect(unwatchedAccounts([unread, buildFleetAccount({ id: "a" })])).toEqual([unread]);
  });

  it("[WARN-6] offers a close only for valves of an active alarm that are not reported closed", () => {
    const valve = buildFleetAlarm().valve;
    const closes = (change: Partial<FleetAlarmValue>) =>
      closableValves(buildFleetAlarm(change)).map(({ controllerId, channelId }) => [controllerId, channelId]);
    expect(closes({})).toEqual([["c1", "11"]]);
    expect(closes({ valve: valve && { ...valve, onoff: 0 } })).toEqual([["c1", "11"]]);
    expect(closes({ valve: valve && { ...valve, onoff: 2 } })).toEqual([]);
    expect(closes({ active: false })).toEqual([]);
    expect(closes({ valve: null, key: "account", type: "no-access" })).toEqual([]);
    const lost = {
      valve: null,
      key: "controller:c7",
      type: "controller-offline-watering",
      valves: [{ channelId: "71", number: 1, until: null }],
    } as const;
    expect(closes({ ...lost, valves: [...lost.valves] })).toEqual([["c7", "71"]]);
  });

  it("[WARN-6] finds the alarms of a device by its key and by the valve of its channels", () => {
    const alarms = [
      buildFleetAlarm({ id: "channel" }),
      buildFleetAlarm({ id: "unit", key: "controller:c1", valve: null, priority: 2 }),
      buildFleetAlarm({ id: "other unit", key: "controller:c2", valve: null }),
      buildFleetAlarm({ id: "other account", account: "a2" }),
    ];
    expect(alarmsOfDevice(alarms, "a1", "c1").map(({ id }) => id)).toEqual(["channel", "unit"]);
  });
});
