import { Text } from "@chakra-ui/react";
import { FLEET_LIST_KEY } from "@mulkko/shared/live/fleet-keys";
import { useCallback } from "react";
import { useTranslation } from "react-i18next";
import { batteryWords, signalWords } from "../../domain/fleet/device-words.ts";
import type { FleetStore } from "../../domain/fleet/fleet-store.ts";
import { useFleetDevice, useFleetSelection } from "../../domain/fleet/hooks.ts";
import {
  fleetKnowsAny,
  flippedSince,
  flipTime,
  type KeyedDevice,
  knownOnlySince,
  maintenanceTasks,
  silentLongest,
  yesterdayEvening,
} from "../../domain/fleet/morning.ts";
import { useAskingWords } from "../../domain/fleet/use-loading-words.ts";
import { useTimeWords } from "../../domain/time/use-time-words.ts";
import { useLabels } from "../../i18n/labels.ts";
import { useAge, useServerTime, useShownQuality } from "../../live/hooks.ts";
import { DeviceLine } from "./DeviceLine.tsx";
import { MorningCard } from "./MorningCard.tsx";

const DEVICES = ["device"] as const;
const LIST = ["fleet"] as const;

/** Number of lines in one list; the board has the rest. */
const LINES = 8;

/** First rows of a list and their total number. */
interface Beginning {
  readonly keys: readonly string[];
  readonly count: number;
}

const beginningOf = (list: readonly KeyedDevice[]): Beginning => ({
  keys: list.slice(0, LINES).map(({ key }) => key),
  count: list.length,
});

const same = (a: Beginning, b: Beginning): boolean =>
  a.count === b.count && a.keys.length === b.keys.length && a.keys.every((key, at) => key === b.keys[at]);

const silentIn = (store: FleetStore) => beginningOf(silentLongest(store.all("device")));
const tasksIn = (store: FleetStore) => beginningOf(maintenanceTasks(store.all("device")));

function Silence({ deviceKey }: { deviceKey: string }) {
  const labels = useLabels();
  const ageMs = useAge(useFleetDevice(deviceKey)?.heardAt ?? null);
  return ageMs === null ? null : labels.shortAge(ageMs);
}

/** List late and offline devices, longest silence first. */
export function SilentCard() {
  const { t } = useTranslation("morning");
  const { keys, count } = useFleetSelection(DEVICES, silentIn, same);
  // Over a lost link it is unknown which devices are silent.
  const knowsAny = useFleetSelection(DEVICES, fleetKnowsAny);
  const isSure = useShownQuality("fresh") === "fresh" && knowsAny;
  const asking = useAskingWords();
  return (
    <MorningCard
      title={t("silent.title")}
      count={count}
      none={asking ?? t(isSure ? "silent.none" : "unsure")}
      empty={count === 0}
      all={
        count > keys.length
          ? { to: "/adminpage/status?state=offline&state=late", label: t("all", { count }) }
          : undefined
      }
    >
      {keys.map((key) => (
        <DeviceLine key={key} deviceKey={key}>
          <strong>
            <Silence deviceKey={key} />
          </strong>
        </DeviceLine>
      ))}
    </MorningCard>
  );
}

function Flip({ deviceKey }: { deviceKey: string }) {
  const { t } = useTranslation("fleet");
  const { time, dayTime, isoDay } = useTimeWords();
  const today = useServerTime(isoDay);
  const flip = useFleetDevice(deviceKey)?.flip;
  if (!flip) return null;
  const at = flipTime(flip);
  const text = isoDay(at) === today ? time(at) : dayTime(at);
  return <strong>{t(flip.online ? "flip.backAt" : "flip.silentSince", { time: text })}</strong>;
}

/** List devices that went offline or came back since yesterday evening, newest first. */
export function FlipsCard() {
  const { t } = useTranslation("morning");
  const { zone, dayTime } = useTimeWords();
  const since = useServerTime((now) => yesterdayEvening(now, zone));
  const flippedIn = useCallback(
    (store: FleetStore) => beginningOf(flippedSince(store.all("device"), since)),
    [since],
  );
  const { keys, count } = useFleetSelection(DEVICES, flippedIn, same);
  const knownIn = useCallback(
    (store: FleetStore) => knownOnlySince(store.get("fleet", FLEET_LIST_KEY), since),
    [since],
  );
  const known = useFleetSelection(LIST, knownIn);
  return (
    <MorningCard
      title={t("flips.title")}
      count={count}
      aside={
        <Text as="span" color="fg.muted" fontWeight="medium" fontSize="caption">
          {t("flips.since", { time: dayTime(since) })}
        </Text>
      }
      none={known === null ? t("flips.none") : t("flips.noneSince", { time: dayTime(known) })}
      note={known === null ? null : t("flips.knownSince", { time: dayTime(known) })}
      empty={count === 0}
      all={
        count > keys.length
          ? { to: `/adminpage/status?since=${new Date(since).toISOString()}`, label: t("all", { count }) }
          : undefined
      }
    >
      {keys.map((key) => (
        <DeviceLine key={key} deviceKey={key}>
          <Flip deviceKey={key} />
        </DeviceLine>
      ))}
    </MorningCard>
  );
}

function Wants({ deviceKey }: { deviceKey: string }) {
  const { t } = useTranslation("common");
  const device = useFleetDevice(deviceKey);
  const wanted = device ? maintenanceTasks(new Map([[deviceKey, device]]))[0] : undefined;
  if (!device || !wanted) return null;
  return wanted.needs.map((need) => (
    <span key={need}>
      {t(need === "battery" ? "alarmType.battery" : "alarmType.rssi")}{" "}
      <strong>{need === "battery" ? batteryWords(device.battery) : signalWords(device.rssi)}</strong>
    </span>
  ));
}

/** List low batteries and weak signals, most urgent first. */
export function TasksCard() {
  const { t } = useTranslation("morning");
  const { keys, count } = useFleetSelection(DEVICES, tasksIn, same);
  const knowsAny = useFleetSelection(DEVICES, fleetKnowsAny);
  const asking = useAskingWords();
  return (
    <MorningCard
      title={t("errands.title")}
      count={count}
      none={asking ?? t(knowsAny ? "errands.none" : "unsure")}
      empty={count === 0}
      all={
        count > keys.length
          ? { to: "/adminpage/status?need=battery&need=signal", label: t("all", { count }) }
          : undefined
      }
    >
      {keys.map((key) => (
        <DeviceLine key={key} deviceKey={key}>
          <Wants deviceKey={key} />
        </DeviceLine>
      ))}
    </MorningCard>
  );
}
