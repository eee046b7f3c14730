import { Flex, Text } from "@chakra-ui/react";
import { RELAY_ACTOR } from "@mulkko/shared/live/devices";
import type {
  FleetAccountValue,
  FleetCommandValue,
  FleetDeviceValue,
  FleetListValue,
} from "@mulkko/shared/live/fleet";
import { FLEET_LIST_KEY, fleetDeviceKey } from "@mulkko/shared/live/fleet-keys";
import { MISSING } from "@mulkko/shared/rules/format";
import type { TFunction } from "i18next";
import { type ReactNode, useCallback } from "react";
import { useTranslation } from "react-i18next";
import { shallow } from "zustand/shallow";
import { useExtension } from "../../api/extensions.ts";
import { useClaim } from "../../api/knowledge.ts";
import { AlarmBadge } from "../../components/alarm-badge.tsx";
import { accountState, ageTime, countsOver, nameOf, needsOf } from "../../domain/fleet/device-state.ts";
import type { FleetStore } from "../../domain/fleet/fleet-store.ts";
import {
  batteryTexts,
  signalTexts,
  useAskingTexts,
  useFleetSelection,
  useShownDevice,
} from "../../domain/fleet/hooks.ts";
import {
  accountsByTrouble,
  type FarmFlips,
  fleetKnowsAny,
  fleetTellsOwners,
  flipsByFarm,
  flipTime,
  type KeyedDevice,
  knownOnlySince,
  maintenanceTasks,
  silentLongest,
  yesterdayEvening,
} from "../../domain/fleet/morning.ts";
import { StateMark } from "../../domain/fleet/StateMark.tsx";
import { accountUrgency } from "../../domain/fleet/urgent.ts";
import { type Owner, useOwner } from "../../domain/fleet/use-fleet-alarm.ts";
import { useTimeTexts } from "../../domain/time/use-time-texts.ts";
import { useLabels } from "../../i18n/labels.ts";
import { useAge, useLinkQuality, useServerTime } from "../../live/hooks.ts";
import { MorningCard, MorningLine } from "./MorningCard.tsx";

/** One device in an overview list. It links to the board with the device open. */
function DeviceLine(props: Pick<DevicesCardProps, "detail"> & { deviceKey: string; call?: Owner }) {
  const { deviceKey, detail, call } = props;
  const labels = useLabels();
  const shown = useShownDevice(deviceKey);
  if (!shown) return null;
  const { device, name, state, alarm } = shown;
  const about = [device.username ?? MISSING, device.deviceType && labels.deviceType(device.deviceType)];
  return (
    <MorningLine
      to={`/adminpage/status?id=${encodeURIComponent(deviceKey.slice(7))}`}
      mark={<StateMark state={state} alarm={alarm} />}
      name={name}
      about={about.filter(Boolean).join(" · ")}
      call={call ?? null}
    >
      {detail(device)}
    </MorningLine>
  );
}

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

const same = (a: Beginning, b: Beginning): boolean => a.count === b.count && shallow(a.keys, b.keys);

interface DevicesCardProps {
  /** Must be a stable function. */
  readonly select: (devices: ReadonlyMap<string, FleetDeviceValue>) => readonly KeyedDevice[];
  readonly title: string;
  readonly none: string;
  /** Query of the board with all devices of the list. */
  readonly query: string;
  readonly aside?: ReactNode;
  readonly note?: string | null;
  /** Detail of a device at the end of its line. */
  readonly detail: (device: FleetDeviceValue) => ReactNode;
}

/** Card with the first devices of a list and a link to the others. */
function DevicesCard({ select, query, detail, ...card }: DevicesCardProps) {
  const { t } = useTranslation("morning");
  const beginningIn = useCallback((store: FleetStore) => beginningOf(select(store.all("device"))), [select]);
  const { keys, count } = useFleetSelection(DEVICES, beginningIn, same);
  return (
    <MorningCard
      {...card}
      count={count}
      all={count > keys.length ? { to: `/adminpage/status?${query}`, label: t("all", { count }) } : undefined}
    >
      {keys.map((key) => (
        <DeviceLine key={key} deviceKey={key} detail={detail} />
      ))}
    </MorningCard>
  );
}

function Silence({ device }: { readonly device: FleetDeviceValue }) {
  const labels = useLabels();
  const ageMs = useAge(ageTime(device));
  return ageMs === null ? null : labels.shortAge(ageMs);
}

/** List late and offline devices, longest silence first. */
export function SilentCard() {
  const { t } = useTranslation("morning");
  // Over a lost link it is unknown which devices are silent.
  const knowsAny = useFleetSelection(DEVICES, fleetKnowsAny);
  const links = useLinkQuality();
  const claim = useClaim();
  const asking = useAskingTexts();
  return (
    <DevicesCard
      select={useCallback((devices) => silentLongest(devices, links), [links])}
      note={links === "fresh" && knowsAny ? null : t("unsure")}
      title={t("silent.title")}
      none={asking ?? claim(knowsAny ? t("silent.none") : t("unsure"))}
      query="state=offline&state=late"
      detail={(device) => (
        <strong>
          <Silence device={device} />
        </strong>
      )}
    />
  );
}

function Flip({ flip }: Pick<FleetDeviceValue, "flip">) {
  const { t } = useTranslation("fleet");
  const { time, dayTime, isoDay } = useTimeTexts();
  const today = useServerTime(isoDay);
  if (!flip) return null;
  const at = flipTime(flip);
  const text = isoDay(at) === today ? time(at) : dayTime(at);
  const kind = flip.online ? (flip.last === null ? "firstAt" : "backAt") : "silentSince";
  return <strong>{t(`flip.${kind}`, { time: text })}</strong>;
}

/** Say since when silence is not judged, and from when on it will be (POLL-7). */
function flipsNote(
  t: TFunction<"morning">,
  { since, until }: NonNullable<FleetListValue["withheld"]>,
  time: (instant: string) => string,
): string {
  const about = { since: time(since), until: until === null ? "" : time(until) };
  return t(until === null ? "flips.unjudged" : "flips.unjudgedUntil", about);
}

const sameFarms = (a: readonly FarmFlips[], b: readonly FarmFlips[]): boolean =>
  a.length === b.length &&
  a.every(({ newest, went, back }, index) => {
    const other = b[index];
    return other?.went === went && other.back === back && shallow(newest, other.newest);
  });

/** List what went offline or came back since yesterday evening by farm, newest first. */
export function FlipsCard() {
  const { t } = useTranslation("morning");
  const { zone, dayTime } = useTimeTexts();
  const since = useServerTime((now) => yesterdayEvening(now, zone));
  const farms = useFleetSelection(
    DEVICES,
    useCallback((store: FleetStore) => flipsByFarm(store.all("device"), since), [since]),
    sameFarms,
  );
  const query = `since=${new Date(since).toISOString()}`;
  const count = farms.reduce((sum, { went, back }) => sum + went + back, 0);
  // A line for several devices does not name them.
  const all =
    count > Math.min(farms.length, LINES)
      ? { to: `/adminpage/status?${query}`, label: t("all", { count }) }
      : undefined;
  const known = useFleetSelection(LIST, (store) => knownOnlySince(store.get("fleet", FLEET_LIST_KEY), since));
  const claim = useClaim();
  const withheld = useFleetSelection(LIST, (store) => store.get("fleet", FLEET_LIST_KEY)?.withheld);
  const unjudged = withheld && flipsNote(t, withheld, (at) => dayTime(Date.parse(at)));
  const unseen = known === null ? null : t("flips.knownSince", { time: dayTime(known) });
  return (
    <MorningCard
      title={t("flips.title")}
      count={count}
      all={all}
      aside={
        <Text as="span" color="fg.muted" fontWeight="medium" fontSize="caption">
          {t("flips.since", { time: dayTime(since) })}
        </Text>
      }
      none={
        unjudged
          ? t("unsure")
          : claim(known === null ? t("flips.none") : t("flips.noneSince", { time: dayTime(known) }))
      }
      note={[unjudged, unseen].filter(Boolean).join(" · ") || null}
    >
      {farms.slice(0, LINES).map((farm) => (
        <FarmFlipsLine key={farm.newest.key} farm={farm} query={query} />
      ))}
    </MorningCard>
  );
}

/** Changes of one farm: its only device, or the farm with the numbers of its devices. */
function FarmFlipsLine({ farm: { newest, went, back }, query }: { farm: FarmFlips; query: string }) {
  const { t } = useTranslation("fleet");
  const { account, username, farm } = newest.device;
  const owner = useOwner(account ?? "", username);
  const detail = <Flip flip={newest.device.flip} />;
  if (account === null || went + back === 1) {
    return <DeviceLine deviceKey={newest.key} detail={() => detail} call={owner} />;
  }
  const counts = [
    ...(went > 0 ? [`${t("flip.went")} ${went}`] : []),
    ...(back > 0 ? [`${t("flip.back")} ${back}`] : []),
  ];
  const names = [farm ? username : null, owner.name === username ? null : owner.name];
  return (
    <MorningLine
      to={`/adminpage/status?account=${encodeURIComponent(account)}&${query}`}
      mark={<StateMark state={went > 0 ? "offline" : "fresh"} />}
      name={farm ?? username ?? `${account}`}
      about={[...names, ...counts].filter(Boolean).join(" · ")}
      call={owner}
    >
      {detail}
    </MorningLine>
  );
}

/** List low batteries and weak signals, most urgent first. */
export function TasksCard() {
  const { t } = useTranslation(["morning", "common"]);
  const knowsAny = useFleetSelection(DEVICES, fleetKnowsAny);
  const claim = useClaim();
  const asking = useAskingTexts();
  return (
    <DevicesCard
      select={maintenanceTasks}
      title={t("tasks.title")}
      none={asking ?? claim(knowsAny ? t("tasks.none") : t("unsure"))}
      query="need=battery&need=signal"
      detail={(device) =>
        needsOf(device).map((need) => (
          <span key={need}>
            {t(need === "battery" ? "common:alarmType.battery" : "common:alarmType.rssi")}{" "}
            <strong>{need === "battery" ? batteryTexts(device.battery) : signalTexts(device.rssi)}</strong>
          </span>
        ))
      }
    />
  );
}

const OWNERS = ["account", "device", "alarm", "fleet"] as const;
/** Number of accounts shown; the board has all of them. */
const ACCOUNT_LINES = 12;

const accountsIn = (store: FleetStore) =>
  accountsByTrouble(store.all("account").values(), store.all("device"), accountUrgency(store));

/** List accounts with their worst state, worst first. */
export function AccountsCard() {
  const { t } = useTranslation("morning");
  const accounts = useFleetSelection(OWNERS, accountsIn, shallow);
  const tellsOwners = useFleetSelection(OWNERS, fleetTellsOwners);
  const claim = useClaim();
  const rest = accounts.length - ACCOUNT_LINES;
  return (
    <MorningCard
      title={t("accounts.title")}
      aside={
        <Text as="span" color="fg.muted" fontWeight="medium" fontSize="caption">
          {t("accounts.order")}
        </Text>
      }
      count={accounts.length}
      none={claim(t(tellsOwners ? "accounts.none" : "accounts.unknown"))}
      rest={rest > 0 ? t("accounts.rest", { count: rest }) : null}
      all={rest > 0 ? { to: "/adminpage/status", label: t("accounts.all") } : undefined}
    >
      {accounts.slice(0, ACCOUNT_LINES).map((account) => (
        <AccountLine key={account.id} account={account} />
      ))}
    </MorningCard>
  );
}

function AccountLine({ account }: { account: FleetAccountValue }) {
  const { t } = useTranslation(["morning", "fleet"]);
  const { id, username, nickname, phone, devices, alarms, worstAlarm } = account;
  const links = useLinkQuality();
  const state = accountState(account, links);
  const numbers = countsOver(account, links);
  const counts = (["offline", "lost", "late", "unknown", "never"] as const)
    .filter((each) => numbers[each] > 0)
    .map((each) => `${t(`fleet:state.${each}`)} ${numbers[each]}`);
  const well = state === "fresh" ? t("accounts.well") : "";
  return (
    <MorningLine
      to={`/adminpage/status?account=${encodeURIComponent(id)}`}
      mark={<StateMark state={state} />}
      name={username ?? `${id}`}
      call={{ name: nickname ?? username ?? `${id}`, phone: phone ?? null }}
      about={[nickname, ...(counts.length > 0 ? counts : [well])].filter(Boolean).join(" · ")}
    >
      {alarms !== null && alarms > 0 && worstAlarm !== null && (
        <Flex
          as="span"
          align="center"
          gap="1"
          css={{ "& .alarm-badge": { boxSize: "1.125rem" } }}
          data-testid="alarm-count"
        >
          <AlarmBadge priority={worstAlarm} /> {t("accounts.alarms", { count: alarms })}
        </Flex>
      )}
      <span>{t("devices", { count: devices })}</span>
    </MorningLine>
  );
}

const COMMANDS = ["command", "names"] as const;
const ACCOUNTS = ["account"] as const;
/** Commands that the farm API accepted without a confirmation, of any age. */
const TAKEN = "/adminpage/audit?show=commands&outcome=taken";

interface NamedCommand {
  readonly command: FleetCommandValue;
  /** Name of the controller; null if the fleet does not contain it. */
  readonly controller: string | null;
}

/** Return all commands with the names of their controllers, newest first. */
function commandsIn(store: FleetStore): NamedCommand[] {
  return [...store.all("command").values()]
    .sort((a, b) => Date.parse(b.at) - Date.parse(a.at))
    .map((command) => {
      const device =
        store.get("device", fleetDeviceKey("controller", command.controllerId)) ??
        store.get("device", fleetDeviceKey("sensor", command.controllerId));
      return { command, controller: device ? nameOf(device) : null };
    });
}

/** Count the accounts that the relay does not watch by itself, so that it does not know their commands. */
const unwatchedIn = (store: FleetStore) =>
  [...store.all("account").values()].filter(({ watched }) => !watched).length;
const sameCommands = (a: readonly NamedCommand[], b: readonly NamedCommand[]): boolean =>
  a.length === b.length && a.every((each, index) => shallow(each, b[index]));

/**
 * List commands of the last 24 hours that failed or were not confirmed, for the accounts that the relay
 * watches.
 */
export function CommandsCard() {
  const { t } = useTranslation(["morning", "common"]);
  const labels = useLabels();
  const { dayTime } = useTimeTexts();
  const isLogged = useExtension("audit");
  const commands = useFleetSelection(COMMANDS, commandsIn, sameCommands);
  const unwatched = useFleetSelection(ACCOUNTS, unwatchedIn);
  const claim = useClaim();
  const rest = commands.length - LINES;
  return (
    <MorningCard
      title={t("commands.title")}
      count={commands.length}
      none={claim(t("commands.none"))}
      rest={rest > 0 ? t("commands.rest", { count: rest }) : null}
      note={unwatched > 0 ? t("commands.unwatched", { count: unwatched }) : null}
      all={isLogged ? { to: TAKEN, label: t("commands.all") } : undefined}
    >
      {commands.slice(0, LINES).map(({ command, controller }) => {
        const { id, username, number, target, state, reason, by, at } = command;
        const what =
          target === null ? command.command : t(`common:command.target.${target === 1 ? "open" : "close"}`);
        return (
          <MorningLine
            key={id}
            name={[controller, t("common:valve.channel", { number }), what].filter(Boolean).join(" · ")}
            about={[
              username,
              by.id === RELAY_ACTOR.id ? labels.actor(by) : t("commands.by", { name: by.nickname }),
            ]
              .filter(Boolean)
              .join(" · ")}
            fault={
              state === "failed" &&
              [t("common:command.state.failed"), reason && labels.error(reason)].filter(Boolean).join(" · ")
            }
          >
            <strong>{dayTime(Date.parse(at))}</strong>
          </MorningLine>
        );
      })}
    </MorningCard>
  );
}
