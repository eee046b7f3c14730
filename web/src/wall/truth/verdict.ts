import type { Link } from "@mulkko/shared/live/server-messages";
import type { DeviceTally } from "../../farm/device-tally.ts";
import type { Withheld } from "../../live/link.ts";

/** Values of this age are no longer to be read at a glance, ms. */
export const DIM_AFTER_MS = 600_000;

/** What is known of the way from the devices to this screen; times are ms UTC on the server's clock. */
export interface TruthFacts {
  readonly now: number;
  readonly screen: "starting" | "live" | "reconnecting" | "notLive" | "ended";
  /** When the relay was heard last, while it is not heard. */
  readonly silentSince: number | null;
  readonly relay: Pick<Link, "upstream" | "mqtt" | "store" | "since" | "heardAt" | "notStoring"> | null;
  /** What a relay lacks that answers and gives no values. */
  readonly withheld: Withheld | null;
  readonly devices: Pick<DeviceTally, "total" | "never" | "fresh" | "newest">;
}

/** Which of the three links lets nothing new through. */
export type StaleLink = "screen" | "store" | "upstream" | "storage" | "devices";

/** Whether what stands on the screen is the present. `asOf`: of when it is; `dim`: too old to be read at a glance. */
export type Verdict =
  | { readonly kind: "live" }
  | { readonly kind: "stale"; readonly link: StaleLink; readonly asOf: number | null; readonly dim: boolean };

const instant = (iso: string | null | undefined): number | null => {
  const ms = iso === null || iso === undefined ? Number.NaN : Date.parse(iso);
  return Number.isNaN(ms) ? null : ms;
};

/** The link that is broken, the nearest to the screen first; null while all let something through. */
function brokenLink({ screen, relay, withheld, devices }: TruthFacts): StaleLink | null {
  // The relay says something every 15 s: it is "not live" after two of those are missed.
  if (screen === "notLive" && withheld !== null) return withheld === "store-down" ? "store" : "upstream";
  if (screen === "notLive" || screen === "ended") return "screen";
  if (relay?.store === "down") return "store";
  if (relay?.upstream === "down" && relay.mqtt !== "up") return "upstream";
  if (relay?.notStoring) return "storage";
  // A device is late once two of its own intervals are missed (ONL-1): all of them, and nothing on the screen is new.
  if (devices.total > devices.never && devices.fresh === 0) return "devices";
  return null;
}

/** Freshness outranks connection: a socket that is open proves nothing about the values. */
export function verdict(facts: TruthFacts): Verdict {
  const link = brokenLink(facts);
  if (link === null) return { kind: "live" };
  const newest = instant(facts.devices.newest);
  const lost = link === "screen" ? facts.silentSince : null;
  const asOf = newest !== null && lost !== null ? Math.min(newest, lost) : (newest ?? lost);
  return { kind: "stale", link, asOf, dim: asOf === null || facts.now - asOf >= DIM_AFTER_MS };
}

/** The same to the eye: `asOf` is shown by the minute. */
export function sameVerdict(a: Verdict, b: Verdict): boolean {
  if (a.kind === "live" || b.kind === "live") return a.kind === b.kind;
  return a.link === b.link && a.asOf === b.asOf && a.dim === b.dim;
}
