import type { MqttConnection, MqttMessage, WorldBroker } from "../network/broker.ts";
import type { Line } from "../network/line.ts";
import type { Process } from "../network/machine.ts";
import type { WorldTime } from "../network/world-time.ts";

const RECONNECT_MS = 5_000;
const PING_ANSWER_MS = 10_000;

/** A message of a device. */
type DeviceMessage = Omit<MqttMessage, "duplicate" | "madeAt">;

/** Place of a device at the broker. */
export interface DevicePlace {
  readonly serial: number;
  /** Its user at the broker. Absent: its serial. */
  readonly username?: string;
  readonly key: string;
  readonly line: Line;
  readonly broker: WorldBroker;
  readonly time: WorldTime;
}

export interface DeviceHabits {
  readonly keepAliveMs: number;
  readonly will: { readonly topic: string; readonly payload: string } | null;
  /** Topics of its commands; null for a device that only sends. */
  readonly filter: string | null;
  /** Most messages that wait for an acknowledgement; beyond it the second oldest is dropped. */
  readonly maxWaiting: number;
  /** False: with QoS 0 what waits is lost with the connection. */
  readonly repeats: boolean;
}

/**
 * The part of a device that is alike in all of them: it connects, and again after 5 s; sends one message at a time until it is
 * acknowledged, and once more on the next connection; takes a ping without an answer for the end.
 */
export class MqttDevice {
  readonly #place: DevicePlace;
  readonly #habits: DeviceHabits;
  #connection: MqttConnection | null = null;
  #isConnected = false;
  #waiting: MqttMessage[] = [];
  #inFlight = false;
  onConnected: () => void = () => undefined;
  onMessage: (topic: string, payload: Buffer) => void = () => undefined;
  /** Called when the broker has acknowledged a message. */
  onAcknowledged: (payload: string) => void = () => undefined;

  constructor(place: DevicePlace, habits: DeviceHabits) {
    this.#place = place;
    this.#habits = habits;
  }

  get isConnected(): boolean {
    return this.#isConnected;
  }

  /** Begin in a fresh process: what waited in the memory of the last one is gone. */
  begin(process: Process): void {
    this.#waiting = [];
    this.#inFlight = false;
    this.#connect(process);
  }

  /** The power is off. */
  end(): void {
    this.#isConnected = false;
    this.#connection = null;
  }

  /** Send a message. A newer state replaces one of the same topic that still waits. */
  publish(message: DeviceMessage): void {
    const isOld = ({ topic, retain }: MqttMessage, place: number): boolean =>
      retain && topic === message.topic && !(place === 0 && this.#inFlight);
    this.#waiting = this.#waiting.filter((one, place) => !isOld(one, place));
    this.#waiting.push({ ...message, duplicate: false, madeAt: this.#place.time.now });
    // The oldest may be under way.
    if (this.#waiting.length > this.#habits.maxWaiting) this.#waiting.splice(1, 1);
    this.#send();
  }

  /** Send before all that waits, as a birth. */
  publishFirst(message: DeviceMessage): void {
    this.#waiting.unshift({ ...message, duplicate: false, madeAt: this.#place.time.now });
  }

  #connect(process: Process): void {
    const { serial, username = String(serial), key, line, broker } = this.#place;
    const { keepAliveMs, will, filter } = this.#habits;
    const over = (): void => {
      // An earlier one may end late.
      if (this.#connection !== connection) return;
      this.#connection = null;
      this.#isConnected = false;
      this.#inFlight = false;
      if (!this.#habits.repeats) this.#waiting = [];
      process.timers.after(RECONNECT_MS, () => this.#connect(process));
    };
    const connection: MqttConnection = broker.connect(
      line,
      { username, password: key, keepAliveMs, will },
      {
        connected: () => {
          if (this.#connection !== connection) return;
          this.#isConnected = true;
          if (filter !== null) connection.subscribe(filter);
          this.onConnected();
          this.#send();
        },
        message: (name, payload) => {
          if (this.#connection === connection) this.onMessage(name, payload);
        },
        closed: over,
      },
    );
    this.#connection = connection;
    const ping = (): void => {
      if (this.#connection !== connection) return;
      const late = process.timers.after(PING_ANSWER_MS, () => {
        connection.destroy();
        over();
      });
      connection.ping(() => {
        late.cancel();
        process.timers.after(keepAliveMs, ping);
      });
    };
    ping();
  }

  /** Send what waits, one message at a time. */
  #send(): void {
    const [next] = this.#waiting;
    const connection = this.#connection;
    if (!next || !connection || !this.#isConnected || this.#inFlight) return;
    this.#inFlight = true;
    connection.publish(next, () => {
      if (this.#connection !== connection) return;
      this.#inFlight = false;
      this.#waiting.shift();
      this.onAcknowledged(next.payload);
      this.#send();
    });
    // On another connection it is a repetition.
    this.#waiting[0] = { ...next, duplicate: true };
  }
}
