import { countedQuality } from "@mulkko/shared/live/value-age";
import { drawnQuality, type Quality } from "@mulkko/shared/rules/quality";
import { useCallback } from "react";
import type { Link, LinkState, Links } from "../../components/link-strip.tsx";
import {
  type LiveFarm,
  useAge,
  useLink,
  useLinkQuality,
  useLiveSelection,
  useRelaySilence,
} from "../../live/hooks.ts";
import type { DeviceTally } from "./device-tally.ts";
import { isMeasuring, sameTally, tallyDevices } from "./device-tally.ts";

const DEVICES = ["sensor", "controller"] as const;
const SENSORS = ["sensor.listing"] as const;

/** Count all devices by their quality. */
const tallyAll = ({ sensors, controllers }: LiveFarm, links: Quality): DeviceTally =>
  tallyDevices([...sensors.values(), ...controllers.values()], links);

/**
 * Summarize the devices as one link: degraded while any device is not live or has never reported, down when
 * all are offline.
 */
export function deviceState(tally: DeviceTally): LinkState {
  const reporting = tally.total - tally.never;
  if (reporting === 0 || tally.unknown === reporting) return "unknown";
  if (tally.offline === reporting) return "down";
  return tally.fresh === tally.total ? "up" : "degraded";
}

/**
 * Return true while a sensor is not live, for a link to the sensor list; otherwise the silent device is a
 * controller.
 */
export function useSilentSensor(): boolean {
  const links = useLinkQuality();
  return useLiveSelection(
    SENSORS,
    useCallback(
      ({ sensors }: LiveFarm) =>
        [...sensors.values()].some(
          (sensor) =>
            isMeasuring(sensor) && drawnQuality({ quality: countedQuality(sensor) }, links) !== "fresh",
        ),
      [links],
    ),
  );
}

const newer = (a: string | null, b: string | null): string | null =>
  a === null ? b : b === null || a > b ? a : b;

/** Return the device counts, kept up to date. */
export function useDeviceTally(): DeviceTally {
  const links = useLinkQuality();
  return useLiveSelection(
    DEVICES,
    useCallback((farm: LiveFarm) => tallyAll(farm, links), [links]),
    sameTally,
  );
}

/**
 * Return the three links with their ages (ONL-4): screen to relay, relay to farm API, and the worst device.
 */
export function useLinks(): Links {
  const screen = useLink((link) => link.screen.state);
  const relay = useLink((link) => link.relay);
  const withheld = useLink((link) => link.withheld);
  const silence = useRelaySilence();
  const tally = useDeviceTally();
  // Every report of a device has come through the farm API as well.
  const upstreamAge = useAge(newer(relay?.heardAt ?? null, tally.newest));
  const deviceAge = useAge(tally.oldestAlive ?? tally.newestValue);

  const live = screen === "live";
  const relayLink: Link = {
    // A relay that explains why it has no values is connected.
    state:
      live || withheld !== null
        ? "up"
        : screen === "starting" || screen === "reconnecting"
          ? "connecting"
          : "down",
    ageMs: silence === null ? null : silence * 1_000,
  };
  const beyond = (state: LinkState): LinkState => (live ? state : "unknown");
  // Without its store the relay forwards no values, even if it reaches the farm API.
  const reported = relay === null || relay.store === "down" ? "unknown" : relay.upstream;
  // A farm API that stores no readings answers all the same.
  const farm = reported === "up" && relay?.notStoring ? "degraded" : reported;
  return {
    relay: relayLink,
    upstream: {
      state: withheld === "upstream-down" ? "down" : beyond(farm),
      ageMs: upstreamAge,
    },
    device: { state: beyond(deviceState(tally)), ageMs: deviceAge },
  };
}
