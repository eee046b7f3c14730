import type { Alarm } from "@mulkko/shared/live/alarm";
import { ServerMessage } from "@mulkko/shared/live/server-messages";
import type { DisplayPage, DisplaySettings } from "@mulkko/shared/rest/displays";
import { relayPath } from "@mulkko/shared/rest/routes";
import { parse } from "@mulkko/shared/schema/parse";
import type { PairedDisplay } from "@mulkko/testing/stack/displays";
import { frameOf, LIVE_SOCKET, messageIn } from "@mulkko/testing/stack/live-frames";
import type { Stack } from "@mulkko/testing/stack/start-stack";
import type { Page } from "playwright-core";
import type { Static } from "typebox";
import { changeDisplay, pairedDisplay } from "../wall.ts";
import { accountOf, type Scene, type Screen } from "./screen.ts";

const FULL_HD = { width: 1920, height: 1080 } as const;
const PORTRAIT = { width: 1080, height: 1920 } as const;
const FOUR_K = { width: 3840, height: 2160 } as const;
/** The smallest television from the farthest supported distance. */
const FAR = { diagonalInches: 43, distanceMetres: 5 } as const;

type State = Record<string, Record<string, unknown>>;
/** An event of the farm, put into its snapshot; later changes are held back. */
type Plight = (state: State) => void;

const minutesAgo = (minutes: number): string => new Date(Date.now() - minutes * 60_000).toISOString();
const alarm = (id: string, change: Partial<Alarm>): Alarm => ({
  id,
  key: "link:upstream",
  type: "offline",
  priority: 3,
  count: 1,
  active: true,
  raisedAt: minutesAgo(3),
  clearedAt: null,
  ack: null,
  snooze: null,
  ...change,
});
const keysOf = (state: State, kind: string): string[] =>
  Object.keys(state).filter((key) => key.startsWith(`${kind}:`));

/** A valve was sent a close, and reports that it is open. */
const disobeyed: Plight = (state) => {
  const [key = ""] = keysOf(state, "channel");
  const by = { id: 1, nickname: "해오름" };
  const command = { id: "c", command: "onoff", target: 2, state: "unconfirmed", since: minutesAgo(3), by };
  Object.assign(state[key] ?? {}, { onoff: 1, command });
  state["alarm:p1"] = alarm("p1", { key, type: "command-unconfirmed", priority: 1 });
};
/** Every device is six minutes overdue. */
const silent: Plight = (state) => {
  for (const key of [
    ...keysOf(state, "sensor"),
    ...keysOf(state, "controller"),
    ...keysOf(state, "channel"),
  ]) {
    Object.assign(state[key] ?? {}, { quality: "late", heardAt: minutesAgo(6) });
  }
};
/** All events at once. */
const flood: Plight = (state) => {
  keysOf(state, "sensor").forEach((key, index) => {
    const type = index % 3 === 0 ? "battery" : "offline";
    state[`alarm:f${index}`] = alarm(`f${index}`, { key, type, raisedAt: minutesAgo(index / 10) });
  });
  keysOf(state, "controller").forEach((key, index) => {
    state[`alarm:g${index}`] = alarm(`g${index}`, { key, priority: 2 });
  });
};

/** All sensors but two are silent: more faults than the page has room for. */
const silentMost: Plight = (state) => {
  for (const key of keysOf(state, "sensor").slice(2)) {
    Object.assign(state[key] ?? {}, { quality: "offline", heardAt: minutesAgo(90) });
  }
};
const MINUTE = 1;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
/** The longest text of each unit of an age, in minutes, and no age at all. */
const AGES = [10 * MINUTE, 59 * MINUTE, 23 * HOUR, 364 * DAY, 10 * 366 * DAY, null] as const;
/** Every device is silent for another time, and the farms have long names. */
const silentForAges: Plight = (state) => {
  for (const kind of ["sensor", "controller", "channel"]) {
    keysOf(state, kind).forEach((key, index) => {
      const age = AGES[index % AGES.length] ?? null;
      const at = age === null ? null : minutesAgo(age);
      const own = kind === "sensor" ? { fieldTimes: null, ...(at === null && { reading: null }) } : {};
      Object.assign(state[key] ?? {}, { quality: at && "offline", heardAt: at, at, ...own });
    });
  }
  ["Riverbend Orchard", "Cedarwood Orchard"].forEach((name, index) => {
    const farm = state[keysOf(state, "farm")[index] ?? ""];
    Object.assign(farm?.info ?? {}, { name });
  });
};
/** No snapshot has arrived. */
const withheld: Plight = () => undefined;

/** A valve of another account is open beyond its end, and a second account has lost its controller. */
const runningElsewhere: Plight = (state) => {
  const accounts = Object.values(state).filter(({ watched }) => watched !== undefined);
  const [first, second] = accounts.filter(({ username }) => username !== "admin");
  const other = { ...second, id: "other", username: "sol014", nickname: "이정민", phone: "010-9876-5432" };
  state["account:other"] = { ...other, controllers: 1, openValves: 0, openBeyondEnd: 0, unknownValves: 0 };
  Object.assign(first ?? {}, { nickname: "김선우", phone: "010-1234-5678" });
  Object.assign(first ?? {}, { controllers: 1, openValves: 2, openBeyondEnd: 1, unknownValves: 0 });
  const valve = { controllerId: "c", channelId: "11", number: 1, onoff: 1, runUntil: null };
  const owner = { account: first?.id, username: first?.username, farm: { id: 1, name: "해오름 농장" } };
  state["alarm:x:p1"] = {
    ...alarm("p1", { key: "channel:11", type: "open-too-long", name: "1동 앞 베드", number: 1, priority: 1 }),
    ...{ ...owner, valve },
  };
  state["alarm:x:p2"] = {
    ...alarm("p2", { key: "controller:d", type: "controller-offline", name: "북쪽 밸브함", priority: 2 }),
    ...{ account: "other", username: "sol014", farm: { id: 2, name: "솔바람 농장" }, valve: null },
  };
  const sums = { openValves: 2, openBeyondEnd: 1, unknownValves: 0, unwatched: 1, leftOff: 0 };
  Object.assign(state["fleet:list"] ?? {}, { urgent: { p1: 1, p2: 1 }, ...sums });
};

interface Event {
  plight: Plight | null;
  /** Stream that shows it. */
  stream: "devices" | "fleet";
}
const plights = new WeakMap<Page, Event>();

const isOf = (message: Static<typeof ServerMessage>, stream: Event["stream"]) =>
  (message.t === "snapshot" || message.t === "change") && message.stream === stream;

/** Pass the relay's own messages through, with the event of the farm or of the fleet in them. */
async function befall(page: Page, { plight, stream }: Event): Promise<void> {
  const known = plights.get(page);
  if (known) {
    Object.assign(known, { plight, stream });
    return;
  }
  const now: Event = { plight, stream };
  plights.set(page, now);
  await page.routeWebSocket(LIVE_SOCKET, (socket) => {
    const relay = socket.connectToServer();
    relay.onMessage((raw) => {
      const parsed = parse(ServerMessage, messageIn(raw));
      if (now.plight === null || !parsed.ok || !isOf(parsed.value, now.stream)) {
        socket.send(raw);
        return;
      }
      const message = parsed.value;
      if (now.plight === withheld) return;
      if (message.t !== "snapshot" || Array.isArray(message.state)) return;
      const state: State = message.state;
      now.plight(state);
      socket.send(frameOf(message));
    });
  });
}

interface WallScreen {
  /** Default: the page. */
  readonly name?: string;
  readonly page?: DisplayPage;
  readonly plight?: Plight;
  readonly settings?: Partial<DisplaySettings>;
  readonly viewport?: { readonly width: number; readonly height: number };
}

/** Requests of a screen about itself; they get no answer while it starts. */
const OWN_DISPLAY = `**${relayPath.ownDisplay}`;

/** Open the wall with the stored data of an earlier pairing. */
async function openKept(
  { page, stack }: Pick<Scene, "page" | "stack">,
  token: string,
  viewport: { readonly width: number; readonly height: number } = FULL_HD,
  prepare: (page: Page) => Promise<unknown> = async () => undefined,
): Promise<void> {
  await page.unroute(OWN_DISPLAY);
  await prepare(page);
  await page.setViewportSize(viewport);
  await page.goto(`${stack.url}/version.json`);
  await page.evaluate((kept) => localStorage.setItem("mulkko.display", kept), JSON.stringify({ token }));
  await page.goto(`${stack.url}/wall`);
}

const paired = new WeakMap<Stack, Map<string, PairedDisplay>>();

/**
 * Return the token of one display of each account, shared by all screens of a stack: the relay limits the
 * number of pairings per hour of one address.
 */
async function tokenToShow(
  stack: Stack,
  username: string,
  settings: Partial<DisplaySettings>,
): Promise<string> {
  const account = await accountOf(stack, username);
  const own = paired.get(stack) ?? new Map<string, PairedDisplay>();
  paired.set(stack, own);
  const known = own.get(username);
  if (known) await changeDisplay(stack.url, account, known.display, settings);
  const { display, token } = known ?? (await pairedDisplay(stack.url, account, settings));
  own.set(username, { display, token });
  return token;
}

/** Content of a page, or the sentence in its place. A small fleet wall has no device below its urgent alarms. */
const CONTENT = [
  ...["reading-tile", "valve-cell", "wall-trend", "wall-alarm"],
  ...["fleet-urgent", "fleet-device", "wall-empty"],
];

/** Return a paired wall on one of its pages. */
const wall = (
  name: string,
  { page: shown = "overview", plight, settings, viewport = FULL_HD }: WallScreen = {},
): Screen => ({
  name: `wall-${name}`,
  fullPage: false,
  signedOut: true,
  async go({ page, stack, visitor }) {
    const language = visitor.locale === "ko-KR" ? "ko" : visitor.locale === "zh-CN" ? "zh" : "en";
    const token = await tokenToShow(stack, shown === "fleet" ? "admin" : "farmer", {
      pages: [shown],
      language,
      ...settings,
    });
    await befall(page, { plight: plight ?? null, stream: shown === "fleet" ? "fleet" : "devices" });
    await openKept({ page, stack }, token, viewport);
    await page
      .locator(`[data-page=${shown}] :is(canvas, ${CONTENT.map((id) => `[data-testid=${id}]`).join()})`)
      .first()
      .waitFor();
  },
});

/** A screen in a control room. */
export const wallScreens: readonly Screen[] = [
  {
    name: "wall-pairing",
    fullPage: false,
    signedOut: true,
    async go({ page, stack }) {
      await page.setViewportSize(FULL_HD);
      await page.goto(`${stack.url}/version.json`);
      await page.evaluate(() => localStorage.removeItem("mulkko.display"));
      await page.goto(`${stack.url}/wall`);
      await page.getByTestId("pairing-code").waitFor();
    },
  },
  {
    name: "wall-revoked",
    fullPage: false,
    signedOut: true,
    async go(scene) {
      await openKept(scene, "mkd_of-nobody");
      await scene.page.locator("main button").waitFor();
    },
  },
  {
    name: "wall-starting",
    fullPage: false,
    signedOut: true,
    async go(scene) {
      await openKept(scene, "mkd_of-somebody", FULL_HD, (page) =>
        page.route(OWN_DISPLAY, (route) => route.abort()),
      );
      await scene.page.locator("main [role=status]:not(:empty)").waitFor();
    },
  },
  wall("overview"),
  wall("night", { settings: { night: { from: "00:00", to: "23:59" } } }),
  wall("valves", { page: "valves" }),
  wall("trends", { page: "trends" }),
  wall("fleet", { page: "fleet" }),
  wall("day", { settings: { colorMode: "light" } }),
  wall("stale", { plight: silent }),
  wall("p1", { plight: disobeyed, settings: { scope: "ack" } }),
  wall("flood", { page: "alarms", plight: flood }),
];

/** Every page of a wall, each with something that needs more room than a quiet farm. */
const SIZED: readonly WallScreen[] = [
  { page: "overview", plight: disobeyed },
  { name: "overview-silent", page: "overview", plight: silentForAges },
  { page: "valves", plight: disobeyed, settings: { scope: "ack" } },
  { name: "valves-silent", page: "valves", plight: silentForAges },
  { page: "trends", plight: silentForAges },
  { page: "map" },
  { page: "alarms", plight: flood },
  { page: "fleet", plight: runningElsewhere },
];

/** Every page on six sizes of televisions and distances, in both orientations. */
export const sizedWallScreens: readonly Screen[] = [43, 55, 75].flatMap((diagonalInches) =>
  [3, 5].flatMap((distanceMetres) =>
    [FULL_HD, PORTRAIT].flatMap((viewport) =>
      SIZED.map((screen) =>
        wall(
          `${diagonalInches}-${distanceMetres}-${viewport === PORTRAIT ? "portrait" : "landscape"}-${screen.name ?? screen.page}`,
          { ...screen, viewport, settings: { ...screen.settings, diagonalInches, distanceMetres } },
        ),
      ),
    ),
  ),
);

/** Further screens: large ones, drawn in software, take a while. */
export const largeWallScreens: readonly Screen[] = [
  wall("map", { page: "map" }),
  wall("map-farm", { page: "map", settings: { farms: ["1"] } }),
  wall("far", { settings: FAR }),
  wall("far-valves", { page: "valves", settings: FAR }),
  wall("far-map", { page: "map", settings: FAR }),
  wall("far-trends", { page: "trends", settings: FAR }),
  wall("far-fleet", { page: "fleet", settings: FAR }),
  wall("far-flood", { page: "alarms", plight: flood, settings: FAR }),
  wall("far-p1", { plight: disobeyed, settings: { ...FAR, scope: "ack" } }),
  wall("overview-4k", { viewport: FOUR_K }),
  wall("p1-4k", { plight: disobeyed, settings: { scope: "ack" }, viewport: FOUR_K }),
  wall("flood-4k", { page: "alarms", plight: flood, viewport: FOUR_K }),
  wall("many-wrong", { plight: silentMost }),
  wall("nothing-yet", { plight: withheld, page: "alarms" }),
  wall("map-4k", { page: "map", viewport: FOUR_K }),
  wall("fleet-4k", { page: "fleet", viewport: FOUR_K }),
  wall("fleet-day", { page: "fleet", settings: { colorMode: "light" } }),
];
