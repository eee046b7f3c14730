import { hash } from "node:crypto";
import type { LatestStored, Said } from "./latest-stored.ts";

/** Facts from the transport about a message. */
export interface Delivery {
  /** Marked as a possible repetition. */
  readonly duplicate: boolean;
  /** Name of the connection; a change means that the device reconnected. */
  readonly connection: string;
}

/**
 * Time in which an equal message that is marked as a repetition is one, ms: a device notices a broken connection after
 * 1.5 keep-alives, mostly of a minute, and then connects again.
 */
const MARKED_WITHIN_MS = 3 * 60_000;
/** The same for the very next message, on a new connection without the mark, which some clients forget. */
const UNMARKED_WITHIN_MS = 10_000;
/**
 * The same for the last reading that an earlier process stored, with the time of the restart. A reading that is wrongly
 * taken for a repetition is lost, and its contact with it: it follows an equal one by this at most.
 */
const MARKED_OVER_RESTART_MS = 10 * 60_000;
/** Messages that a device may have under way at once, as the libraries of MQTT have it. */
const REMEMBERED = 20;

interface Received {
  readonly digest: string;
  readonly connection: string;
  /** ms on a monotonic clock */
  readonly at: number;
  /** True if it was dated by its arrival: it states no time, or none that was believed. */
  readonly isTimeless: boolean;
}

/**
 * The last messages of each device, to distinguish a repetition of one that states no time from an unchanged
 * measurement. One that states its time is stored once anyway, unless the farm API's clock was set between the two: then
 * one of them is dated by its arrival. Bounded by the registered devices.
 */
export class Repetitions {
  readonly #received = new Map<string, Received[]>();
  /** The last content of each sensor for an earlier process, until it has sent something to this one. */
  readonly #before = new Map<string, { readonly content: string; readonly at: number }>();

  /**
   * @param latest the newest stored reading of each sensor, which may never have been acknowledged
   * @param moment the present on both clocks, ms
   */
  load(latest: readonly LatestStored[], moment: { readonly now: number; readonly monotonic: number }): void {
    for (const { sensorId, said, at } of latest)
      if (said) this.#before.set(sensorId, { content: said.content, at: moment.monotonic - moment.now + at });
  }

  /**
   * Return true for a repetition; the message is remembered in any case.
   *
   * @param said what the message says
   * @param isTimeless true if it is dated by its arrival
   * @param now ms on a monotonic clock
   */
  isRepetition(
    deviceId: string,
    payload: Uint8Array,
    { duplicate, connection }: Delivery,
    said: Said,
    isTimeless: boolean,
    now: number,
  ): boolean {
    const isSaidBefore = this.isOfProcessBefore(deviceId, { duplicate }, said, now);
    const digest = hash("sha1", payload, "base64");
    const others = this.#recent(deviceId, now);
    const before = others.findLast((one) => one.digest === digest);
    const left = others.filter((one) => one !== before);
    this.#received.set(deviceId, [...left, { digest, connection, at: now, isTimeless }].slice(-REMEMBERED));
    // Its time was believed once and not the other time: the same message.
    if (before && before.isTimeless !== isTimeless) return true;
    if (!isTimeless) return false;
    if (isSaidBefore) return true;
    if (!before) return false;
    if (duplicate) return true;
    const isNext = before === others.at(-1) && before.connection !== connection;
    return isNext && now - before.at <= UNMARKED_WITHIN_MS;
  }

  /** Return true for a repetition of what an earlier process stored last; only the first message of a device may be one. */
  isOfProcessBefore(
    deviceId: string,
    { duplicate }: Pick<Delivery, "duplicate">,
    said: Said,
    now: number,
  ): boolean {
    const stored = this.#before.get(deviceId);
    this.#before.delete(deviceId);
    return duplicate && stored?.content === said.content && now - stored.at <= MARKED_OVER_RESTART_MS;
  }

  /** Forget a message because it was not stored: sent again, it is not a repetition. */
  forget(deviceId: string, payload: Uint8Array): void {
    const digest = hash("sha1", payload, "base64");
    const left = (this.#received.get(deviceId) ?? []).filter((one) => one.digest !== digest);
    this.#received.set(deviceId, left);
  }

  #recent(deviceId: string, now: number): readonly Received[] {
    return (this.#received.get(deviceId) ?? []).filter(({ at }) => now - at <= MARKED_WITHIN_MS);
  }
}
