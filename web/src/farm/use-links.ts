import { useCallback } from "react";
import { type LiveFarm, useAge, useLink, useLiveSelection, useRelaySilence } from "../live/hooks.ts";
import type { Link, LinkState, Links } from "../ui/feedback/link-state.ts";
import type { DeviceTally } from "./device-tally.ts";
import { isMeasuring, sameTally, tallyDevices } from "./device-tally.ts";

const DEVICES = ["sensor", "controller"] as const;
const SENSORS = ["sensor.listing"] as const;

/** All devices, as far as they can be believed. */
const tallyAll = ({ sensors, controllers }: LiveFarm): DeviceTally =>
  tallyDevices([...sensors.values(), ...controllers.values()]);

/** The devices as one link: degraded while one of them is not live, also one that never was; down when all are. */
export function deviceState(tally: DeviceTally): LinkState {
  const heard = tally.total - tally.never;
  if (heard === 0 || tally.unknown === heard) return "unknown";
  if (tally.offline === heard) return "down";
  return tally.fresh === tally.total ? "up" : "degraded";
}

/** True while some sensor is not live, so that the list of sensors shows it; else it is a controller. */
export const useSilentSensor = (): boolean =>
  useLiveSelection(SENSORS, ({ sensors }) =>
    [...sensors.values()].some((sensor) => isMeasuring(sensor) && sensor.quality !== "fresh"),
  );

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
