import type { KnownValves } from "../devices/directory.ts";
import type { DriverName, ValveDriver } from "./driver.ts";
import { nativeDriver } from "./native.ts";
import { shellyDriver } from "./shelly-gen2.ts";
import { tasmotaDriver } from "./tasmota.ts";

const DRIVERS: Readonly<Record<DriverName, ValveDriver>> = {
  native: nativeDriver,
  "shelly-gen2": shellyDriver,
  tasmota: tasmotaDriver,
};

export const driverOf = (name: DriverName): ValveDriver => DRIVERS[name];

/** Whether a subscription, as the drivers write them, holds a topic. */
function holds(filter: string, topic: string): boolean {
  if (filter.endsWith("/#")) return topic.startsWith(filter.slice(0, -1));
  if (filter.endsWith("/+")) {
    const base = filter.slice(0, -1);
    return topic.startsWith(base) && !topic.slice(base.length).includes("/");
  }
  return filter === topic;
}

/** What foreign firmware also says without being asked; it is let through to nobody. */
const TALK = /^(tasmota\/discovery|homeassistant|shellies)\//;

export const isTalk = (topic: string): boolean => TALK.test(topic);

/** Whether a controller with foreign valves may say something under a topic. */
export const mayValvesPublish = (valves: KnownValves, topic: string): boolean =>
  isTalk(topic) || isOfValves(valves, topic);

/** Whether a topic lies where a controller with foreign valves speaks. */
export function isOfValves({ serial, driver, address }: KnownValves, topic: string): boolean {
  const { speaksUnder } = driverOf(driver);
  const own = driver === "shelly-gen2" ? [`${address}/#`] : [];
  const tele = driver === "tasmota" ? speaksUnder({ serial, address }).map(wholeBranch) : [];
  return [...own, ...tele, ...speaksUnder({ serial, address })].some((filter) => holds(filter, topic));
}

/** `tele/name/LWT` → `tele/name/#`: its sensors and telemetry are said there too. */
const wholeBranch = (filter: string): string => `${filter.slice(0, filter.lastIndexOf("/"))}/#`;

/** Whether a controller with foreign valves may subscribe. */
export const mayValvesSubscribe = ({ serial, driver, address }: KnownValves, filter: string): boolean =>
  driverOf(driver)
    .hearsUnder({ serial, address })
    .some((own) => own === filter || holds(own, filter));
