import { useCallback } from "react";
import { type LiveFarm, useAge, useLink, useLiveSelection, useRelaySilence } from "../live/hooks.ts";
import type { Link, LinkState, Links } from "../ui/feedback/link-state.ts";
import type { DeviceTally } from "./device-tally.ts";
import { sameTally, tallyDevices } from "./device-tally.ts";

const DEVICES = ["sensor", "controller"] as const;

/** All devices, as far as they can be believed. */
const tallyAll = ({ sensors, controllers }: LiveFarm): DeviceTally =>
  tallyDevices([...sensors.values(), ...controllers.values()]);

/** The devices as one link: slow while some are late or silent, down when all are. */
function deviceState(tally: DeviceTally): LinkState {
  const heard = tally.total - tally.never;
  if (heard === 0 || tally.unknown === heard) return "unknown";
  if (tally.offline === heard) return "down";
  return tally.fresh === heard ? "up" : "degraded";
}

const newer = (a: string | null, b: string | null): string | null =>
  a === null ? b : b === null || a > b ? a : b;

/** How many devices can be believed, followed. */
export function useDeviceTally(): DeviceTally {
  return useLiveSelection(DEVICES, useCallback(tallyAll, []), sameTally);
}

/** The three links with their three ages (ONL-4): screen to relay, relay to farm API, the devices' worst. */
export function useLinks(): Links {
  const screen = useLink((link) => link.screen.state);
  const relay = useLink((link) => link.relay);
  const withheld = useLink((link) => link.withheld);
  const silence = useRelaySilence();
  const tally = useDeviceTally();
  // Whatever a device said came over the farm API as well.
  const upstreamAge = useAge(newer(relay?.heardAt ?? null, tally.newest));
  const deviceAge = useAge(tally.oldestAlive ?? tally.newest);

  const live = screen === "live";
  const relayLink: Link = {
    // One that says why it has no values is there.
    state:
      live || withheld !== null
        ? "up"
        : screen === "starting" || screen === "reconnecting"
          ? "connecting"
          : "down",
    ageMs: silence === null ? null : silence * 1_000,
  };
  const beyond = (state: LinkState): LinkState => (live ? state : "unknown");
  return {
    relay: relayLink,
    upstream: {
      state:
        withheld === "upstream-down"
          ? "down"
          : beyond(relay?.notStoring ? "down" : (relay?.upstream ?? "unknown")),
      ageMs: upstreamAge,
    },
    device: { state: beyond(deviceState(tally)), ageMs: deviceAge },
  };
}
