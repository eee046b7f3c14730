import { buildAccount } from "@mulkko/shared/testing/builders";
import { act, cleanup } from "@testing-library/react";
import { type ComponentType, createElement } from "react";
import { afterEach, describe, expect, it } from "vitest";
import { ContactsPage } from "../features/admin-audit/ContactsPage.tsx";
import { MorningPage } from "../features/admin-fleet/MorningPage.tsx";
import { StatusPage } from "../features/admin-fleet/StatusPage.tsx";
import { AdminSensorsPage } from "../features/admin-sensors/AdminSensorsPage.tsx";
import { UsersPage } from "../features/admin-users/UsersPage.tsx";
import { AlarmsPage } from "../features/alarms/AlarmBoard.tsx";
import { ControllersPage } from "../features/controller/ControllersPage.tsx";
import { DashboardPage } from "../features/dashboard/DashboardPage.tsx";
import { DisplaysPage } from "../features/displays/DisplaysPage.tsx";
import { IrrigationPage } from "../features/irrigation/IrrigationPage.tsx";
import { SensorsPage } from "../features/sensors/SensorsPage.tsx";
import adminEn from "../i18n/locales/en/admin.json" with { type: "json" };
import appEn from "../i18n/locales/en/app.json" with { type: "json" };
import wallEn from "../i18n/locales/en/wall.json" with { type: "json" };
import adminKo from "../i18n/locales/ko/admin.json" with { type: "json" };
import appKo from "../i18n/locales/ko/app.json" with { type: "json" };
import wallKo from "../i18n/locales/ko/wall.json" with { type: "json" };
import { answerKnowledge, KNOWN, knowledgeOf, type LinkState, LOADING, STALE } from "../live/link.ts";
import { createFleetBench, type FleetBench } from "../testing/fleet-bench.tsx";
import { AlarmsPage as AlarmsWall } from "../wall/pages/AlarmsPage.tsx";
import FleetWall from "../wall/pages/FleetPage.tsx";
import { OverviewPage } from "../wall/pages/OverviewPage.tsx";
import TrendsPage from "../wall/pages/TrendsPage.tsx";
import { ValvesPage } from "../wall/pages/ValvesPage.tsx";
import { createWallBench, type WallBench } from "../wall/testing/wall-bench.tsx";
import type { WallPageProps } from "../wall/wall-context.ts";

/** Every text that says that something is not there, or that all is well. */
const CLAIMS: readonly string[] = [
  "common.water.none",
  "alarms.none.title",
  "alarms.past.none",
  "controller.empty",
  "controller.noChannels",
  "controller.log.none",
  "controller-edit.sensor.none",
  "controller-edit.sensor.noneAtAll",
  "dashboard.noValves",
  "dashboard.noWidgets",
  "dashboard.next.none",
  "dashboard.sensors.none",
  "dashboard.sensors.allWell",
  "displays.list.empty",
  "farms.remove.none",
  "irrigation.empty",
  "irrigation.noDevices",
  "irrigation.today.none",
  "irrigation.today.noneSince",
  "irrigation.matrix.noChannels",
  "irrigation.timeline.none",
  "irrigation.waterings.none",
  "irrigation.waterings.noneSince",
  "irrigation.closeAll.noneOpen",
  "maps.empty",
  "sensor-table.none",
  "sensors.empty",
  "sensors.widgets.none",
  "shell.bell.empty",
  "shell.bell.noActivity",
  "admin-audit.entry.none",
  "admin-audit.command.none",
  "admin-audit.signIn.none",
  "admin-audit.mail.none",
  "admin-contacts.none",
  "admin-sensors.none",
  "admin-users.list.none",
  "fleet.empty",
  "urgent.none",
  "urgent.noneWatched",
  "urgent.water.none",
  "urgent.water.noneKnown",
  "morning.silent.none",
  "morning.flips.none",
  "morning.flips.noneSince",
  "morning.tasks.none",
  "morning.accounts.none",
  "morning.accounts.well",
  "morning.contacts.none",
  "morning.commands.none",
  "morning.backup.none",
  "morning.knocks.none",
  "wall.more.calm",
  "wall.overview.empty",
  "wall.valve.none",
  "wall.map.none",
  "wall.trends.none",
  "wall.alarms.none",
  "wall.fleet.none",
];

/** Texts that begin like a claim and are none, by the reason. */
const NO_CLAIMS: Readonly<Record<string, RegExp>> = {
  "matches of a search in the rows shown": /\.(nothingFound|nothing|noneFound|ownersNone|unknown-name)$/,
  "words of a choice":
    /\.(all|allFarms|allChannels|allControllers|allPlaced|farmNone|fleet|everyone|picker\.empty|picker\.all)$/,
  "a property of one thing, as it was loaded":
    /\.(noFarm|noPlace|noLimit|noMeter|noPhone|noSensors|profileNone|untitled|noEnd|channels\.none|zoneHint|takesAll)$/,
  "an answer to what a user has just done or chosen":
    /\.(noScreen|noPage|noTile|noEmail|noTime|noInterval|noPause|noMoisture|nameFailed|pictureFailed|imageFailed|form\.notSaved|noAnswer|valves\.none|free\.none|closeAll\.(nothing|allClosed.*))$/,
  "no data in what was loaded, or of one device":
    /^common\.(chart|table|stress|quality|state)\.|\.(noReading|never|unseen|noAccount)$/,
  "a trouble, not its absence":
    /^common\.alarmType\.|^alarms\.(silentSince|noRise|noAccess|detail)|\.(unconfirmed|notLive|overdue|old|devices)$/,
};
const flat = (prefix: string, value: unknown): [string, string][] =>
  typeof value === "string"
    ? [[prefix, value]]
    : typeof value === "object" && value !== null
      ? Object.entries(value).flatMap(([key, part]) => flat(prefix === "" ? key : `${prefix}.${key}`, part))
      : [];
const korean = new Map(flat("", { ...appKo, ...adminKo, ...wallKo }));
const claimTexts = (): string[] =>
  // Texts with a time or a number in them are recognised by their longest part.
  CLAIMS.map((key) => korean.get(key) ?? korean.get(`${key}_other`) ?? "").map(
    (text) =>
      text
        .split(/\{\{\w+\}\}/)
        .sort((a, b) => b.length - a.length)[0]
        ?.trim() ?? "",
  );

describe("texts that say that something is not there", () => {
  it("[KNOW-1] are all known as claims, or are none for a reason", () => {
    const english = flat("", { ...appEn, ...adminEn, ...wallEn });
    const alike = english.filter(
      ([key, text]) => /^(No |None\b|Nothing |All |Everything )/.test(text) && !key.endsWith("_one"),
    );
    const unknown = alike
      .map(([key]) => key.replace(/_other$/, ""))
      .filter((key) => !CLAIMS.includes(key))
      .filter((key) => !Object.values(NO_CLAIMS).some((reason) => reason.test(key)));
    expect(unknown).toEqual([]);
    const present = new Set(english.map(([key]) => key.replace(/_(one|other)$/, "")));
    expect(CLAIMS.filter((key) => !present.has(key))).toEqual([]);
    expect(claimTexts().filter((text) => text.length < 4)).toEqual([]);
  });

  it("[KNOW-1] need every link that delivers, and an answer whose newest request worked", () => {
    const relay = {
      t: "link",
      upstream: "up",
      mqtt: "off",
      store: "embedded",
      since: "2026-11-21T00:00:00Z",
    } as const;
    const state = (change: Partial<LinkState>) =>
      knowledgeOf({ screen: { state: "live" }, relay, everSynced: true, ...change });
    expect(state({})).toEqual(KNOWN);
    expect(state({ relay: null })).toEqual(KNOWN);
    expect(state({ screen: { state: "reconnecting" } })).toEqual(KNOWN);
    expect(state({ screen: { state: "starting" }, everSynced: false })).toEqual(LOADING);
    expect(state({ screen: { state: "notLive" }, everSynced: false })).toMatchObject({ why: "unreached" });
    for (const stale of [
      { screen: { state: "notLive" } },
      { screen: { state: "ended", code: 4506 } },
      { relay: { ...relay, upstream: "down" } },
      { relay: { ...relay, store: "down" } },
      { relay: { ...relay, notStoring: { fault: "database", since: relay.since } } },
    ] as const)
      expect(state(stale)).toEqual(STALE);
    expect(answerKnowledge({ data: null, error: null }, KNOWN)).toEqual(LOADING);
    expect(answerKnowledge({ data: [], error: null }, KNOWN)).toEqual(KNOWN);
    expect(answerKnowledge({ data: [], error: null }, LOADING)).toEqual(KNOWN);
    expect(answerKnowledge({ data: [], error: null }, STALE)).toEqual(STALE);
    expect(answerKnowledge({ data: [], error: new Error("away") }, KNOWN)).toEqual(STALE);
    expect(answerKnowledge({ data: null, error: new Error("away") }, KNOWN)).toEqual(STALE);
  });
});

const PAGES: Readonly<Record<string, ComponentType>> = {
  dashboard: DashboardPage,
  sensors: SensorsPage,
  controllers: ControllersPage,
  irrigation: IrrigationPage,
  alarms: AlarmsPage,
  displays: DisplaysPage,
  "users of an administrator": UsersPage,
  "sensors of an administrator": AdminSensorsPage,
  messages: ContactsPage,
  "morning page": MorningPage,
  "device status": StatusPage,
};
const WALLS: Readonly<Record<string, ComponentType<WallPageProps>>> = {
  alarms: AlarmsWall,
  overview: OverviewPage,
  valves: ValvesPage,
  trends: TrendsPage,
  fleet: FleetWall,
};

const RELAY = {
  t: "link",
  upstream: "up",
  mqtt: "off",
  store: "embedded",
  since: "2026-11-21T00:00:00Z",
  heardAt: "2026-11-21T00:00:00Z",
} as const;
const NOT_STORING = { fault: "disk-full", since: "2026-11-21T00:00:00Z" } as const;
const OUTAGES: Readonly<Record<string, Partial<LinkState>>> = {
  "the farm API away": { relay: { ...RELAY, upstream: "down" } },
  "the farm API away, its broker there": { relay: { ...RELAY, upstream: "down", mqtt: "up" } },
  "the store away": { relay: { ...RELAY, store: "down" } },
  "the disk full": { relay: { ...RELAY, store: "down", notStoring: NOT_STORING } },
  "no readings stored": { relay: { ...RELAY, notStoring: NOT_STORING } },
  "the connection lost": { screen: { state: "notLive" } },
  "the connection ended": { screen: { state: "ended", code: 4503 } },
};

const shownClaims = (): string[] => {
  const shown = document.body.textContent ?? "";
  return claimTexts().filter((text) => shown.includes(text));
};

/** Answer of a farm API without any row. */
function emptyAnswer(call: string): unknown {
  if (call === "GET /relay/config") return { apiTimezone: "Asia/Seoul", extensions: ["audit"], build: "x" };
  if (call.includes("account/info")) return buildAccount();
  if (call.includes("/relay/displays")) return { displays: [] };
  if (call.includes("/relay/waterings/preview"))
    return {
      timezone: "Asia/Seoul",
      from: RELAY.since,
      to: RELAY.since,
      planned: [],
      untimed: [],
      unread: [],
      truncated: false,
    };
  return call.startsWith("GET /api/v1/admin") ? { content: [], totalElements: 0 } : undefined;
}

const become = (live: FleetBench["live"] | WallBench["live"], change: Partial<LinkState>) =>
  act(async () => {
    live.client.link.setState({ relay: RELAY, screen: { state: "live" }, everSynced: true, ...change });
    await live.timers.pass(0);
  });

describe.each(Object.keys(PAGES))("the page: %s", (name) => {
  afterEach(() => {
    cleanup();
    localStorage.clear();
  });

  it("[KNOW-1] claims nothing while a link does not deliver", async () => {
    const Page = PAGES[name];
    if (Page === undefined) throw new Error(`no page ${name}`);
    const bench = await createFleetBench();
    bench.answer = emptyAnswer;
    await bench.open(createElement(Page), "/");
    await bench.say({});
    await become(bench.live, {});
    await expect.poll(() => shownClaims().length, { timeout: 5_000 }).toBeGreaterThan(0);
    for (const [outage, change] of Object.entries(OUTAGES)) {
      await become(bench.live, change);
      expect({ outage, claims: shownClaims() }).toEqual({ outage, claims: [] });
    }
    await become(bench.live, {});
    expect(shownClaims()).not.toEqual([]);
  });
});

describe.each(Object.keys(WALLS))("the wall page: %s", (name) => {
  afterEach(() => {
    cleanup();
    // Files that share a worker share the prototype; the browser's own properties are those of `Element`.
    for (const size of ["clientWidth", "clientHeight"]) Reflect.deleteProperty(HTMLElement.prototype, size);
  });

  it("[KNOW-1] claims nothing while a link does not deliver", async () => {
    const Page = WALLS[name];
    if (Page === undefined) throw new Error(`no page ${name}`);
    Object.defineProperty(HTMLElement.prototype, "clientWidth", { configurable: true, get: () => 1_824 });
    Object.defineProperty(HTMLElement.prototype, "clientHeight", { configurable: true, get: () => 830 });
    const wall = await createWallBench();
    wall.show(createElement(Page, { lap: 0 }));
    const socket = await wall.bring({});
    await act(async () => {
      socket.say({ t: "snapshot", stream: "fleet", epoch: "f1", offset: 1, part: 1, of: 1, state: {} });
      wall.live.paint();
      await wall.live.timers.pass(1_000);
    });
    await become(wall.live, {});
    expect(shownClaims()).not.toEqual([]);
    for (const [outage, change] of Object.entries(OUTAGES)) {
      await become(wall.live, change);
      expect({ outage, claims: shownClaims() }).toEqual({ outage, claims: [] });
    }
  });
});
