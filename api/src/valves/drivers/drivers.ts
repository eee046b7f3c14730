import type { DriverName, KnownValves } from "../../devices/device-index.ts";
import type { ValveDriver } from "./driver.ts";
import { nativeDriver } from "./native.ts";
import { shellyDriver } from "./shelly-gen2.ts";
import { tasmotaDriver } from "./tasmota.ts";

const DRIVERS: Readonly<Record<DriverName, ValveDriver>> = {
  native: nativeDriver,
  "shelly-gen2": shellyDriver,
  tasmota: tasmotaDriver,
};

export const driverOf = (name: DriverName): ValveDriver => DRIVERS[name];

/** True if a subscription, as the drivers write them, matches a topic. */
function holds(filter: string, topic: string): boolean {
  if (filter.endsWith("/#")) return topic.startsWith(filter.slice(0, -1));
  if (filter.endsWith("/+")) {
    const base = filter.slice(0, -1);
    return topic.startsWith(base) && !topic.slice(base.length).includes("/");
  }
  return filter === topic;
}

/** Further topics of third-party firmware, which the broker forwards to no client. */
const TALK = /^(tasmota\/discovery|homeassistant|shellies)\//;

export const isTalk = (topic: string): boolean => TALK.test(topic);

/** True if a controller with third-party valves may publish to a topic. */
export const mayValvesPublish = (valves: KnownValves, topic: string): boolean =>
  isTalk(topic) || isOfValves(valves, topic);

/** True if a topic belongs to a controller with third-party valves. */
export function isOfValves({ serial, driver, address }: KnownValves, topic: string): boolean {
  const { speaksUnder } = driverOf(driver);
  const own = driver === "shelly-gen2" ? [`${address}/#`] : [];
  const tele = driver === "tasmota" ? speaksUnder({ serial, address }).map(wholeBranch) : [];
  return [...own, ...tele, ...speaksUnder({ serial, address })].some((filter) => holds(filter, topic));
}

/** Widen `tele/name/LWT` to `tele/name/#`, which includes its sensors and telemetry. */
const wholeBranch = (filter: string): string => `${filter.slice(0, filter.lastIndexOf("/"))}/#`;

/** True if a controller with third-party valves may subscribe. */
export const mayValvesSubscribe = ({ serial, driver, address }: KnownValves, filter: string): boolean =>
  driverOf(driver)
    .hearsUnder({ serial, address })
    .some((own) => own === filter || holds(own, filter));
