import type { Random } from "@mulkko/shared/rules/clock";
import { chirpstackUp } from "../../../api/testing/lorawan/network-messages.ts";
import type { WorldTime } from "../network/world-time.ts";
import type { LoraPlan } from "../plan/lora-plan.ts";

/** The sensor in the network server, and its profile at the farm API. */
export const DEV_EUI = "a84041000181c061";
export const PROFILE = "dragino-lse01";
export const EVENTS = `application/17c8/device/${DEV_EUI}/event`;
/** Login of the network server at the API's broker. */
export const NETWORK_SERVER = { username: "network-server", key: "uplink-key-of-the-world" };

/** Time for which a network server waits for the same frame from other gateways, ms. */
const COLLECT_MS = 200;

/** A frame of the sensor, as a gateway received it. */
interface Frame {
  readonly count: number;
  /** By the clock of the gateway that received it first, ms UTC. */
  readonly receivedAt: number;
  readonly decoded: object;
  /** Gateways that have received it. */
  readonly by: readonly number[];
}

const iso = (ms: number): string => new Date(ms).toISOString();

/**
 * Gateways of a LoRaWAN, and what a ChirpStack makes of their frames: one event for each frame, however many gateways
 * deliver it, and however late.
 */
export class Lorawan {
  readonly #plan: LoraPlan;
  readonly #time: WorldTime;
  readonly #random: Random;
  readonly #start: number;
  /** Called with each event of the network server. Returns false while that is not running. */
  readonly #deliver: (payload: string) => boolean;
  /** Frames that each gateway keeps. */
  readonly #kept: Frame[][];
  readonly #delivered = new Set<number>();
  #frames = 0;

  /** @param start when the outages of the plan count from, ms UTC */
  constructor(
    plan: LoraPlan,
    parts: { readonly time: WorldTime; readonly random: Random; readonly start: number },
    deliver: (payload: string) => boolean,
  ) {
    this.#plan = plan;
    this.#time = parts.time;
    this.#random = parts.random;
    this.#start = parts.start;
    this.#deliver = deliver;
    this.#kept = plan.gateways.map(() => []);
    for (const { gateway, at, ms } of plan.outages)
      this.#time.at(parts.start + at + ms, () => this.#sendKept(gateway));
  }

  /** The sensor sends a frame. @returns the time that its message will state, ms UTC; null: it is lost */
  send(decoded: object): number | null {
    this.#frames += 1;
    const by = this.#plan.gateways.flatMap((_, gateway) =>
      this.#random() < this.#plan.lossShare ? [] : [gateway],
    );
    const [first] = by;
    if (first === undefined) return null;
    const receivedAt = this.#time.now + (this.#plan.gateways[first] ?? 0);
    const frame: Frame = { count: this.#frames, receivedAt, decoded, by };
    for (const gateway of by) {
      if (this.#isAway(gateway)) this.#keep(gateway, frame);
      else this.#time.after(COLLECT_MS, () => this.#arrive(gateway, frame));
    }
    return receivedAt;
  }

  /** The network server runs again: gateways send what they have kept. */
  sendAllKept(): void {
    for (const [gateway] of this.#kept.entries()) if (!this.#isAway(gateway)) this.#sendKept(gateway);
  }

  #isAway(gateway: number): boolean {
    const now = this.#time.now - this.#start;
    return this.#plan.outages.some(
      (one) => one.gateway === gateway && now >= one.at && now < one.at + one.ms,
    );
  }

  #keep(gateway: number, frame: Frame): void {
    if (this.#plan.keeps) this.#kept[gateway]?.push(frame);
  }

  #sendKept(gateway: number): void {
    for (const frame of this.#kept[gateway]?.splice(0) ?? []) this.#arrive(gateway, frame);
  }

  #arrive(gateway: number, frame: Frame): void {
    // By its counter a frame that another gateway has delivered is known.
    if (this.#delivered.has(frame.count)) return;
    if (this.#deliver(this.#eventOf(frame))) this.#delivered.add(frame.count);
    else this.#keep(gateway, frame);
  }

  #eventOf({ count, receivedAt, decoded, by }: Frame): string {
    const number = count.toString(16).padStart(12, "0");
    return JSON.stringify({
      ...chirpstackUp({ devEui: DEV_EUI, time: iso(receivedAt), decoded }),
      deduplicationId: `00000000-0000-4000-8000-${number}`,
      fCnt: count,
      rxInfo: by.map((gateway) => ({
        gatewayId: `0016c001f153a1${(gateway + 10).toString(16)}`,
        uplinkId: count,
        nsTime: iso(this.#time.now),
        rssi: -97 - gateway,
        crcStatus: "CRC_OK",
      })),
    });
  }
}
