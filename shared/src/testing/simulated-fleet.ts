import type { FleetAccountValue, FleetAlarmValue, FleetDeviceValue, FleetListValue } from "../live/fleet.ts";
import { FLEET_LIST_KEY, fleetAccountKey, fleetAlarmKey, fleetDeviceKey } from "../live/fleet-keys.ts";
import { type ActivityHistory, BEAT_SLOT_MS, BEAT_SLOTS } from "../rest/fleet.ts";
import type { Quality } from "../rules/quality.ts";
import { seededRandom } from "./random.ts";

type FleetValue = FleetDeviceValue | FleetAccountValue | FleetAlarmValue | FleetListValue;

/** Invented devices of many accounts, for tests, benches and screenshots. */
export interface SimulatedFleet {
  /** The whole `fleet` stream by key. */
  readonly state: ReadonlyMap<string, FleetValue>;
  /** Make a number of devices go offline or come back now. @returns the patch of a `change`, by key */
  flip(count: number): Record<string, Partial<FleetDeviceValue>>;
  /** Make one device go offline or come back now. */
  flipOne(key: string): Record<string, Partial<FleetDeviceValue>>;
  /** Heartbeats of devices, by the part after `device:` in their keys. */
  beats(ids: readonly string[]): ActivityHistory;
}

export interface SimulatedFleetOptions {
  readonly devices: number;
  readonly accounts: number;
  readonly now: () => number;
  readonly seed?: number;
  /**
   * Number of urgent alarms about controllers: running water first, then lost connections. With any, the
   * water of the accounts is known, and one account is not watched. Default: 0.
   */
  readonly urgent?: number;
}

const TYPES = ["SMS", "SMS", "SSH", "AT", "WATERFLOW", "ATS02", "LAT", "WATERLEVEL", "CON04V"] as const;
const PLACES = ["토양수분", "양분", "온실환경", "관수 유량", "기상", "작물", "수위", "밸브"] as const;
const FARMS = ["haneul", "saeromi", "purun", "deulkkot", "manna", "gaon", "nuri", "sol"] as const;
const FIRMWARE = ["1.0", "1.2", "1.2.1", "2.0"] as const;
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
/** Numbers per hundred devices that are silent, late or without any contact; the rest is healthy. */
const SHARES = { offline: 4, late: 3, never: 1 } as const;

const iso = (at: number): string => new Date(at).toISOString();

/** Create a fleet. The same seed and numbers give the same fleet, except for its times. */
export function createSimulatedFleet({
  devices,
  accounts,
  now,
  seed = 7,
  urgent = 0,
}: SimulatedFleetOptions): SimulatedFleet {
  const random = seededRandom(seed);
  const pick = <T>(list: readonly T[], fallback: T): T =>
    list[Math.floor(random() * list.length)] ?? fallback;
  const values = new Map<string, FleetDeviceValue>();
  const began = now();

  const qualityOf = (): Quality | null => {
    const share = random() * 100;
    if (share < SHARES.offline) return "offline";
    if (share < SHARES.offline + SHARES.late) return "late";
    return share < SHARES.offline + SHARES.late + SHARES.never ? null : "fresh";
  };
  const ageOf = (quality: Quality | null): number =>
    quality === "offline"
      ? HOUR * (1 + random() * 90)
      : quality === "late"
        ? MINUTE * (16 + random() * 40)
        : random() * 90_000;

  for (let index = 0; index < devices; index += 1) {
    const account = index % accounts;
    const type = pick(TYPES, "SMS");
    const kind = type === "CON04V" ? "controller" : "sensor";
    const id = `f${String(index).padStart(5, "0")}`;
    const quality = qualityOf();
    const heardAt = quality === null ? null : began - ageOf(quality);
    const flippedAt = quality === "offline" && heardAt !== null ? heardAt + HOUR : null;
    const said = heardAt !== null && kind === "sensor";
    // Accounts are farms: their devices are near one another.
    const place = {
      latitude: 34.6 + ((account * 37) % 100) / 34,
      longitude: 126.6 + ((account * 53) % 100) / 42,
    };
    values.set(fleetDeviceKey(kind, id), {
      id,
      kind,
      account: `a${account}`,
      username: `${FARMS[account % FARMS.length]}${String(account + 1).padStart(3, "0")}`,
      name: `${1 + (index % 8)}동 ${pick(PLACES, "센서")}`,
      deviceType: type,
      serial: 24_200_000 + index,
      latitude: random() < 0.05 ? null : place.latitude + (random() - 0.5) / 40,
      longitude: place.longitude + (random() - 0.5) / 40,
      quality,
      since: heardAt === null ? null : iso(flippedAt ?? heardAt),
      flip: flippedAt === null ? null : { at: iso(flippedAt), online: false, last: iso(heardAt ?? began) },
      battery: said ? Math.round(random() < 0.03 ? 2 + random() * 17 : 25 + random() * 75) : null,
      rssi:
        heardAt === null ? null : Math.round(random() < 0.03 ? -112 - random() * 14 : -108 + random() * 45),
      fwversion: heardAt === null ? null : pick(FIRMWARE, "1.0"),
      heardAt: heardAt === null ? null : iso(heardAt),
    });
  }

  /** One alarm for each of the first controllers; half of them, and at least one, have an open valve. */
  const running = Math.ceil(urgent / 2);
  const alarms = [...values]
    .filter(([, { kind }]) => kind === "controller")
    .slice(0, urgent)
    .map(([key, device], index): [string, FleetAlarmValue] => {
      const isRunning = index < running;
      values.set(key, { ...device, alarm: isRunning ? 1 : 2 });
      const account = String(device.account);
      const raisedAt = iso(began - MINUTE * (3 + 7 * index));
      const alarm: FleetAlarmValue = {
        ...{ id: `u${index}`, count: 1, active: true, raisedAt, clearedAt: null, ack: null, snooze: null },
        ...{
          key: isRunning ? `channel:${device.id}-1` : `controller:${device.id}`,
          priority: isRunning ? 1 : 2,
        },
        type: isRunning ? "open-too-long" : "controller-offline",
        name: device.name ?? "",
        ...(isRunning && { number: 1, detail: { start: iso(began - HOUR), end: raisedAt } }),
        ...{ account, username: device.username },
        farm: { id: 1, name: `${1 + (index % 3)}농장` },
        valve: isRunning
          ? { controllerId: device.id, channelId: `${device.id}-1`, number: 1, onoff: 1, runUntil: null }
          : null,
      };
      return [fleetAlarmKey(account, alarm.id), alarm];
    });
  const alarmed = new Set(alarms.map(([, { account }]) => account));
  const unwatchedId =
    urgent === 0
      ? null
      : Array.from({ length: accounts }, (_, index) => `a${index}`).find((id) => !alarmed.has(id));

  const waterOf = (account: string, controllers: number): Partial<FleetAccountValue> => {
    if (urgent === 0) return {};
    const person = {
      nickname: "김다온",
      phone: `010-0000-${account.slice(1).padStart(4, "0")}`,
      controllers,
    };
    if (account === unwatchedId) {
      const unknown = { openValves: null, openBeyondEnd: null, unknownValves: null };
      return { ...person, ...unknown, watched: false, unwatched: { reason: "no-session" } };
    }
    const open = alarms.filter(([, { valve, account: own }]) => valve !== null && own === account).length;
    return { ...person, openValves: open, openBeyondEnd: open, unknownValves: 0, unwatched: null };
  };

  const accountOf = (account: string): FleetAccountValue => {
    const tally = { late: 0, offline: 0, unknown: 0 };
    const own = [...values.values()].filter((device) => device.account === account);
    for (const { quality } of own) if (quality !== null && quality !== "fresh") tally[quality] += 1;
    const quality = tally.offline > 0 ? "offline" : tally.late > 0 ? "late" : "fresh";
    return {
      id: account,
      username: own[0]?.username ?? null,
      quality,
      devices: own.length,
      ...tally,
      alarms: tally.offline,
      worstAlarm: tally.offline > 0 ? 3 : null,
      watched: true,
      ...(alarmed.has(account) && {
        worstAlarm: own.some(({ alarm }) => alarm === 1) ? (1 as const) : (2 as const),
      }),
      ...waterOf(account, own.filter(({ kind }) => kind === "controller").length),
    };
  };
  const sums = new Map(
    [...new Set([...values.values()].map(({ account }) => String(account)))].map((account) => [
      fleetAccountKey(account),
      accountOf(account),
    ]),
  );

  const flipOne = (key: string): Record<string, Partial<FleetDeviceValue>> => {
    const device = values.get(key);
    if (!device) return {};
    const online = device.quality !== "fresh";
    const at = iso(now());
    const patch: Partial<FleetDeviceValue> = {
      quality: online ? "fresh" : "offline",
      since: at,
      flip: { at, online, last: device.heardAt },
      ...(online && { heardAt: at }),
    };
    values.set(key, { ...device, ...patch });
    return { [key]: patch };
  };
  const keys = [...values.keys()];
  const list: FleetListValue = {
    ...{ loaded: values.size, total: values.size, knownSince: null, leftOff: 0 },
    urgent: { p1: Math.min(running, alarms.length), p2: Math.max(0, alarms.length - running) },
    ...{ openValves: running, openBeyondEnd: running, unknownValves: 0, unwatched: 1 },
  };
  const urgency = urgent > 0 ? [...alarms, [FLEET_LIST_KEY, list] as const] : [];

  return {
    get state() {
      return new Map<string, FleetValue>([...values, ...sums, ...urgency]);
    },
    flip(count) {
      const patch: Record<string, Partial<FleetDeviceValue>> = {};
      for (let done = 0; done < count; done += 1) Object.assign(patch, flipOne(pick(keys, "")));
      return patch;
    },
    flipOne,
    beats(ids) {
      const from = Math.floor(now() / BEAT_SLOT_MS) * BEAT_SLOT_MS - (BEAT_SLOTS - 1) * BEAT_SLOT_MS;
      const barOf = (id: string): string => {
        const device = values.get(`device:${id}`);
        const own = seededRandom([...id].reduce((sum, letter) => sum * 31 + letter.charCodeAt(0), 7));
        const holes = own() < 0.2;
        const contactUntil = device?.heardAt ? Date.parse(device.heardAt) : 0;
        return Array.from({ length: BEAT_SLOTS }, (_, slot) => {
          if (slot < 6 && own() < 0.3) return "-";
          if (from + slot * BEAT_SLOT_MS > contactUntil) return "0";
          return holes && own() < 0.08 ? "0" : "1";
        }).join("");
      };
      return {
        from: iso(from),
        slotMs: BEAT_SLOT_MS,
        beats: Object.fromEntries(ids.map((id) => [id, barOf(id)])),
      };
    },
  };
}
