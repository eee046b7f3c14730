import {
  CODE_LENGTH,
  CODE_LETTERS,
  DISPLAY_PAGES,
  type DisplayPage,
  type DisplaySettings,
  MAX_DISPLAY_NAME,
} from "@mulkko/shared/rest/displays";
import { readDecimal } from "../../domain/form/decimal.ts";

/** A display's settings as form values: numbers as typed. */
export interface DisplayDraft {
  readonly name: string;
  readonly whose: "all" | "some";
  readonly farms: readonly string[];
  readonly pages: readonly DisplayPage[];
  /** `filled`: automatic overview; `arranged`: the sensors in `tiles`, in their order. */
  readonly overview: "filled" | "arranged";
  readonly tiles: readonly string[];
  readonly turn: string;
  readonly diagonal: string;
  readonly distance: string;
  readonly language: DisplaySettings["language"];
  readonly colorMode: DisplaySettings["colorMode"];
  readonly night: boolean;
  readonly nightFrom: string;
  readonly nightTo: string;
  readonly sound: boolean;
  readonly ack: boolean;
}

/** Fault of a field; the form translates it. */
export type DraftFault =
  | "required"
  | "tooLong"
  | "noFarm"
  | "noPage"
  | "noTile"
  | "number"
  | "range"
  | "time";

/** Ranges of the numbers, as in the contract. */
export const RANGES = {
  turn: { from: 10, to: 600, whole: true },
  diagonal: { from: 7, to: 150, whole: false },
  distance: { from: 0.5, to: 20, whole: false },
} as const;

/** Proposed times of the darker screen. */
const NIGHT = { from: "21:00", to: "06:00" };
const FARM_PAGES = DISPLAY_PAGES.filter((page) => page !== "fleet");
const TIME = /^([01]\d|2[0-3]):[0-5]\d$/;

/** Content of the account that decides the first pages of a new display. */
export interface DisplayContent {
  readonly sensors: boolean;
  readonly valves: boolean;
  /** True if a device has a place on the map. */
  readonly places: boolean;
  /** True if the user may show the devices of all accounts. */
  readonly fleet: boolean;
}

/** Select the pages that have content now; all farm pages for an account without devices. */
function firstPages({ sensors, valves, places, fleet }: DisplayContent): readonly DisplayPage[] {
  if (!sensors && !valves) return fleet ? ["fleet"] : FARM_PAGES;
  const has: Readonly<Record<DisplayPage, boolean>> = {
    overview: true,
    valves,
    map: places,
    trends: sensors,
    alarms: true,
    fleet: false,
  };
  return DISPLAY_PAGES.filter((page) => has[page]);
}

/**
 * Return the settings that most displays need: all farms, each page with content, a 55″ television read from
 * three metres.
 */
export function newDraft(
  name: string,
  language: DisplaySettings["language"],
  content: DisplayContent,
): DisplayDraft {
  return draftOf({
    name,
    farms: null,
    pages: [...firstPages(content)],
    tiles: null,
    turnSeconds: 20,
    diagonalInches: 55,
    distanceMetres: 3,
    language,
    colorMode: "dark",
    night: NIGHT,
    sound: true,
    scope: "read",
  });
}

export function draftOf(settings: DisplaySettings): DisplayDraft {
  const { farms, tiles, night } = settings;
  return {
    name: settings.name,
    whose: farms === null ? "all" : "some",
    farms: farms === null ? [] : farms.map(String),
    pages: settings.pages,
    overview: tiles === null ? "filled" : "arranged",
    tiles: tiles === null ? [] : tiles.map(String),
    turn: String(settings.turnSeconds),
    diagonal: String(settings.diagonalInches),
    distance: String(settings.distanceMetres),
    language: settings.language,
    colorMode: settings.colorMode,
    night: night !== null,
    nightFrom: (night ?? NIGHT).from,
    nightTo: (night ?? NIGHT).to,
    sound: settings.sound,
    ack: settings.scope === "ack",
  };
}

function numberFault(text: string, { from, to, whole }: { from: number; to: number; whole: boolean }) {
  const value = readDecimal(text);
  if (value === null) return "required";
  if (Number.isNaN(value) || (whole && !Number.isInteger(value))) return "number";
  return value < from || value > to ? "range" : undefined;
}

/** Check a draft and return the faults by field. */
export function draftFaults(
  draft: DisplayDraft,
): Partial<Record<keyof DisplayDraft, DraftFault | undefined>> {
  const { name, whose, farms, pages, night, nightFrom, nightTo } = draft;
  return {
    name: name.trim() === "" ? "required" : name.trim().length > MAX_DISPLAY_NAME ? "tooLong" : undefined,
    farms: whose === "some" && farms.length === 0 ? "noFarm" : undefined,
    pages: pages.length === 0 ? "noPage" : undefined,
    tiles: draft.overview === "arranged" && draft.tiles.length === 0 ? "noTile" : undefined,
    turn: numberFault(draft.turn, RANGES.turn),
    diagonal: numberFault(draft.diagonal, RANGES.diagonal),
    distance: numberFault(draft.distance, RANGES.distance),
    nightFrom: night && !TIME.test(nightFrom) ? "time" : undefined,
    nightTo: night && !TIME.test(nightTo) ? "time" : undefined,
  };
}

/** Return the settings of a draft without faults. */
export function settingsOf(draft: DisplayDraft): DisplaySettings {
  const number = (text: string): number => readDecimal(text) ?? 0;
  return {
    name: draft.name.trim(),
    farms: draft.whose === "all" ? null : [...draft.farms],
    pages: DISPLAY_PAGES.filter((page) => draft.pages.includes(page)),
    tiles: draft.overview === "filled" ? null : [...draft.tiles],
    turnSeconds: number(draft.turn),
    diagonalInches: number(draft.diagonal),
    distanceMetres: number(draft.distance),
    language: draft.language,
    colorMode: draft.colorMode,
    night: draft.night ? { from: draft.nightFrom, to: draft.nightTo } : null,
    sound: draft.sound,
    scope: draft.ack ? "ack" : "read",
  };
}

/** Normalize a typed code: capital letters of the code alphabet, at most a code's length. */
export const readTyped = (typed: string): string =>
  [...typed.toUpperCase()]
    .filter((letter) => CODE_LETTERS.includes(letter))
    .slice(0, CODE_LENGTH)
    .join("");

/** Format a code in two halves, as the display shows it. */
export const shownCode = (code: string): string =>
  code.length > CODE_LENGTH / 2 ? `${code.slice(0, CODE_LENGTH / 2)}-${code.slice(CODE_LENGTH / 2)}` : code;

/** Return a list with one item moved by one place; at the ends it stays. */
export function moved<T>(list: readonly T[], at: number, by: -1 | 1): readonly T[] {
  const [thing, other] = [list[at], list[at + by]];
  if (thing === undefined || other === undefined) return list;
  return list.map((one, index) => (index === at ? other : index === at + by ? thing : one));
}
