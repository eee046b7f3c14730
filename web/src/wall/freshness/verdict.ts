import type { Link } from "@mulkko/shared/live/server-messages";
import type { DeviceTally } from "../../domain/farm/device-tally.ts";
import { linkTroubles, type Withheld } from "../../live/link.ts";

/** Age from which values are too old to be shown at full brightness, ms. */
export const DIM_AFTER_MS = 600_000;

/** Known state of the links from the devices to this screen; times are ms UTC on the server's clock. */
export interface FreshnessFacts {
  readonly now: number;
  readonly screen: "starting" | "live" | "reconnecting" | "notLive" | "ended";
  /** Time of the relay's last message, while it is silent. */
  readonly silentSince: number | null;
  readonly relay: Pick<Link, "upstream" | "mqtt" | "store" | "since" | "heardAt" | "notStoring"> | null;
  /** Missing source of a relay that answers without values. */
  readonly withheld: Withheld | null;
  readonly devices: Pick<DeviceTally, "total" | "never" | "fresh" | "newestValue">;
}

/** The link that delivers nothing new. */
export type StaleLink = "screen" | "store" | "upstream" | "storage" | "devices";

/** Freshness of the screen. `asOf`: time of the values; `dim`: too old for full brightness. */
export type Verdict =
  | { readonly kind: "live" }
  | { readonly kind: "stale"; readonly link: StaleLink; readonly asOf: number | null; readonly dim: boolean };

const instant = (iso: string | null | undefined): number | null => {
  const ms = iso === null || iso === undefined ? Number.NaN : Date.parse(iso);
  return Number.isNaN(ms) ? null : ms;
};

/** Return the worst broken link (LINK-1); null while all deliver. */
function brokenLink({ screen, relay, withheld, devices }: FreshnessFacts): StaleLink | null {
  for (const trouble of linkTroubles({ screen, relay, withheld })) {
    switch (trouble) {
      case "ended":
      case "screen":
        return "screen";
      case "store":
      case "storage":
        return trouble;
      case "upstream":
        // The broker alone delivers as well.
        if (withheld !== null || relay?.mqtt !== "up") return trouble;
        break;
      case "broker":
        break;
    }
  }
  // A device is late after two missed intervals (ONL-1): if all are late, nothing on the screen is new.
  if (devices.total > devices.never && devices.fresh === 0) return "devices";
  return null;
}

/** Compute the verdict. Freshness outranks connection: an open socket proves nothing about the values. */
export function verdict(facts: FreshnessFacts): Verdict {
  const link = brokenLink(facts);
  if (link === null) return { kind: "live" };
  // A screen without devices of its own shows what the relay got last: the fleet.
  const newest = instant(facts.devices.total === 0 ? facts.relay?.heardAt : facts.devices.newestValue);
  const lost = link === "screen" ? facts.silentSince : null;
  const asOf = newest !== null && lost !== null ? Math.min(newest, lost) : (newest ?? lost);
  return { kind: "stale", link, asOf, dim: asOf === null || facts.now - asOf >= DIM_AFTER_MS };
}

/** Return true for verdicts that look the same: `asOf` is shown by the minute. */
export function sameVerdict(a: Verdict, b: Verdict): boolean {
  if (a.kind === "live" || b.kind === "live") return a.kind === b.kind;
  return a.link === b.link && a.asOf === b.asOf && a.dim === b.dim;
}
