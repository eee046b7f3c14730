import type { ImportStatement } from "./imports.ts";
import { isTestCode } from "./source-files.ts";

/** A way that no import may go, and the sentence for the one who went it. */
export interface LayerRule {
  readonly sentence: string;
  forbids(statement: ImportStatement): boolean;
}

/** shared ← api | relay | web; `e2e` and `scripts` stand outside and look at the contract alone. */
const MAY_IMPORT: Readonly<Record<string, readonly string[]>> = {
  shared: ["shared"],
  api: ["api", "shared"],
  relay: ["relay", "shared"],
  web: ["web", "shared"],
  e2e: ["e2e", "shared"],
  scripts: ["scripts", "shared", "e2e"],
};

/** What features share: live values and calls put together, with their parts of screens. */
const ROOMS = ["farm", "log", "alarms", "weather", "devices", "account-fields", "admin"].map(
  (room) => `web/src/${room}`,
);

/** Packages that compute and do no I/O. */
const PURE_PACKAGES = ["typebox", "dayjs"];

const packageOf = (file: string): string => file.split("/")[0] ?? "";
const featureOf = (file: string): string | undefined => /^web\/src\/features\/([^/]+)\//.exec(file)?.[1];
const within = (file: string | null, folder: string): boolean => file?.startsWith(`${folder}/`) ?? false;

/** Tests of api and relay start real engines and bad links by what `e2e` has for it; benchmarks the whole farm too. */
const isEngineOfTest = (from: string, to: string): boolean => {
  if (!isTestCode(from) || !["api", "relay"].includes(packageOf(from))) return false;
  const isBench =
    from.includes("/bench/") && ["e2e/src/bench", "e2e/src/stack"].some((folder) => within(to, folder));
  return within(to, "e2e/src/engines") || isBench;
};

const isPure = (file: string): boolean =>
  !isTestCode(file) &&
  (within(file, "shared/src") || within(file, "relay/src/core") || /(^|\/)rules\.ts$/.test(file));

/** What a package calls a part of itself by, `imports` in its package.json: `#check` of shared. */
const isOwnPart = (specifier: string): boolean => specifier.startsWith("#");

const isPurePackage = (specifier: string): boolean =>
  isOwnPart(specifier) ||
  PURE_PACKAGES.some((name) => specifier === name || specifier.startsWith(`${name}/`));

export const LAYER_RULES: readonly LayerRule[] = [
  {
    sentence:
      "imports go one way: shared ← api | relay | web; tests of api and relay may use e2e/src/engines, their benchmarks e2e/src/stack and e2e/src/bench too",
    forbids({ from, to }) {
      const allowed = MAY_IMPORT[packageOf(from)];
      if (allowed === undefined || to === null) return false;
      return !allowed.includes(packageOf(to)) && !isEngineOfTest(from, to);
    },
  },
  {
    sentence:
      "features never import one another; what two of them need lives in a room (farm/, log/, alarms/ …), ui/, rest/ or live/",
    forbids({ from, to }) {
      const feature = featureOf(from);
      const other = to === null ? undefined : featureOf(to);
      return feature !== undefined && other !== undefined && feature !== other;
    },
  },
  {
    sentence: "a room of the client, which several features share, knows none of them",
    forbids: ({ from, to }) =>
      ROOMS.some((room) => within(from, room)) &&
      (within(to, "web/src/features") || within(to, "web/src/app")),
  },
  {
    sentence: "ui/ knows neither live/ nor a feature: they meet inside a feature",
    forbids: ({ from, to }) =>
      within(from, "web/src/ui") && (within(to, "web/src/live") || within(to, "web/src/features")),
  },
  {
    sentence:
      "of live/ only hooks.ts is imported from outside; app/, wall/ and tests may build a connection, fleet/ a stream of its own",
    forbids: ({ from, to }) =>
      within(from, "web") &&
      !within(from, "web/src/live") &&
      !within(from, "web/src/app") &&
      !within(from, "web/src/wall") &&
      !within(from, "web/src/fleet") &&
      !isTestCode(from) &&
      within(to, "web/src/live") &&
      to !== "web/src/live/hooks.ts",
  },
  {
    sentence: "the browser has no node: modules",
    forbids: ({ from, specifier }) =>
      within(from, "web/src") && !isTestCode(from) && specifier.startsWith("node:"),
  },
  {
    sentence:
      "pure code (shared/src, relay/src/core, rules.ts) does no I/O: only typebox and dayjs from outside",
    forbids: ({ from, to, specifier }) => isPure(from) && to === null && !isPurePackage(specifier),
  },
  {
    sentence: "relay/src/core computes: from the rest of the relay it takes types alone",
    forbids: ({ from, to, typeOnly }) =>
      within(from, "relay/src/core") &&
      !isTestCode(from) &&
      within(to, "relay") &&
      !within(to, "relay/src/core") &&
      !typeOnly,
  },
];
