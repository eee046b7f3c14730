import { SENSOR } from "../devices/furnish.ts";
import { readingIn } from "../devices/sensor.ts";
import type { MqttMessage } from "../network/broker.ts";
import type { Person } from "../people/person.ts";
import type { Scene } from "../scene/scene.ts";

/** Silence after which a device is offline (ONL-1), as all devices of a world report often. */
const ALLOWED_MS = 60 * 60_000;
/** A message that was measured longer ago than this when it arrives is no contact but of its own time (ORD-4). */
const FORWARDED_MS = 60 * 60_000;
/** Difference of two times of one contact, ms: a slow database, and lists with whole seconds. */
const SAME_MS = 6_000;
/** Time within which a flip is on the screens. */
const SHOWN_MS = 10_000;

/** Time before its limit at which a silence is one, ms. */
const SILENT_EARLIER_MS = 120_000;

/** A message that was taken. Times in ms UTC. */
interface Contact {
  readonly arrivedAt: number;
  /** The time that counts; two where the message is as old as the limit. */
  readonly counts: readonly number[];
}

/** A flip that something says. */
export interface SaidFlip {
  readonly at: number;
  readonly online: boolean;
  readonly last: number | null;
}

const isSame = (one: number, other: number): boolean => Math.abs(one - other) <= SAME_MS;
const minutesOf = (ms: number): string => new Date(ms).toISOString().slice(11, 21);

/** W-9: return what is wrong with a flip; null if nothing is. */
export function wrongFlip({ at, online, last }: SaidFlip, contacts: readonly Contact[]): string | null {
  const said = `${online ? "online" : "offline"} at ${minutesOf(at)}`;
  if (last === null) {
    const [first] = contacts;
    return online && first && isSame(at, first.arrivedAt) ? null : `${said}, as for its first contact`;
  }
  const before = contacts.find(({ counts }) => counts.some((one) => isSame(one, last)));
  if (!before) return `${said}, after a contact at ${minutesOf(last)} that was none`;
  const between = contacts.find(
    ({ arrivedAt }) => arrivedAt > Math.max(last, before.arrivedAt) + SAME_MS && arrivedAt < at - SAME_MS,
  );
  if (between?.counts.some((one) => one > last + SAME_MS))
    return `${said}, after a contact at ${minutesOf(last)}; but it spoke at ${minutesOf(between.arrivedAt)}`;
  if (!online) return isSame(at, last + ALLOWED_MS) ? null : `${said}, after a contact at ${minutesOf(last)}`;
  if (at - last < ALLOWED_MS - SAME_MS) return `${said}, though it spoke at ${minutesOf(last)}`;
  const isContact = contacts.some(({ counts }) => counts.some((one) => isSame(one, at)));
  return isContact ? null : `${said}, when it said nothing`;
}

/** When the sensor spoke, and what is said of its silences: W-9. */
export class Flips {
  readonly #scene: Scene;
  readonly #contacts: Contact[] = [];
  /** The last contact, ms UTC; -∞: none. */
  #last = Number.NEGATIVE_INFINITY;
  /** True once the last contact of a deleted account was by another clock of the server. */
  #isOfAnotherClock = false;
  /** Flips that were looked at, by person. */
  readonly #seen = new Map<string, number>();

  constructor(scene: Scene) {
    this.#scene = scene;
    scene.broker.onTaken((message, arrivedAt) => this.#taken(message, arrivedAt));
  }

  /** Return what is wrong with a flip; null if nothing is. */
  #wrong(flip: SaidFlip): string | null {
    if (!this.#scene.plan.serverClock) return wrongFlip(flip, this.#contacts);
    // Its times are of a clock that is wrong: whatever that is set to, there is no silence without one.
    const arrivals = [...this.#contacts.map(({ arrivedAt }) => arrivedAt), this.#scene.time.now];
    const isSilence = arrivals.some(
      (at, place) => at - (arrivals[place - 1] ?? this.#scene.start) > ALLOWED_MS - SILENT_EARLIER_MS,
    );
    if (flip.online || isSilence || this.#isOfAnotherClock) return null;
    return "offline, and it was never silent for an hour";
  }

  /**
   * True where all that is known of the sensor is a contact by another clock of the server: its account was deleted
   * before that was set right, and has had no contact since.
   */
  get #isLastContactOfAnotherClock(): boolean {
    const { apiSetAt, deletedFrom, deletedTo, time } = this.#scene;
    const last = this.#contacts.at(-1)?.arrivedAt ?? this.#scene.start;
    return last < apiSetAt && deletedFrom <= time.now && deletedTo > last;
  }

  #taken({ topic, payload }: MqttMessage, arrivedAt: number): void {
    if (!this.#scene.sensor?.speaksIn(topic)) return;
    const age = arrivedAt - (readingIn(payload)?.statedAt ?? arrivedAt);
    const counts = [
      ...(age < FORWARDED_MS + SAME_MS ? [arrivedAt] : []),
      ...(age > FORWARDED_MS - SAME_MS ? [arrivedAt - age] : []),
    ];
    this.#contacts.push({ arrivedAt, counts });
    this.#last = Math.max(this.#last, ...counts);
  }

  /** True while nothing but its own silence makes the sensor offline, or nearly. */
  get isSilent(): boolean {
    return this.#scene.time.now - this.#last > ALLOWED_MS - SILENT_EARLIER_MS;
  }

  /** Return the alarms that the silence of the sensor does not explain. */
  unexplained<A extends { readonly type: string }>(alarms: readonly A[]): readonly A[] {
    return alarms.filter(({ type }) => type !== "offline" || !this.isSilent);
  }

  /** Look at the flips of every screen. */
  look(): void {
    if (this.#scene.sensor === null) return;
    this.#isOfAnotherClock ||= this.#isLastContactOfAnotherClock;
    for (const person of this.#scene.people) {
      this.#lookAtSaid(person);
      this.#lookForUnsaid(person);
    }
  }

  #lookAtSaid({ name, phone }: Person): void {
    if (!phone.isRead) return;
    // The relay may say it before the farm API has acknowledged the message.
    const flips = phone.flipsOf(SENSOR.id).filter(({ at }) => this.#scene.time.now - at > SAME_MS);
    if (flips.length === this.#seen.get(name)) return;
    this.#seen.set(name, flips.length);
    const wrong = flips.map((flip) => this.#wrong(flip)).find((text) => text !== null);
    if (wrong) this.#scene.break("W-9", `${name}'s screen says that the sensor was ${wrong}`);
  }

  /** A silence that was watched from its beginning is said. */
  #lookForUnsaid({ name, phone, toScreen }: Person): void {
    const { now } = this.#scene.time;
    const last = this.#last;
    // What is wrong with the server's clock moves the time of the flip.
    if (this.#scene.plan.serverClock) return;
    if (!Number.isFinite(last) || now - last < ALLOWED_MS + SAME_MS + SHOWN_MS) return;
    const { wellSince } = toScreen;
    if (wellSince === null || wellSince > last || !phone.isRead) return;
    const isSaid = phone
      .flipsOf(SENSOR.id)
      .some(({ at, online }) => !online && isSame(at, last + ALLOWED_MS));
    if (!isSaid)
      this.#scene.break(
        "W-9",
        `${name}'s screen does not say that the sensor is silent since ${minutesOf(last)}`,
      );
  }

  /** Return what is wrong with the flip that the farm API has stored; null if nothing is. */
  async lookAtStored(): Promise<void> {
    if (this.#scene.sensor === null) return;
    const { database } = this.#scene.database.connect();
    const [row] = await database.query<{ online: boolean | null; at: number | null; last: number | null }>(
      "select online, flipped_at as at, flipped_last as last from device_presence where device_id = $1",
      [SENSOR.id],
    );
    if (!row || row.at === null || row.online === null) return;
    const wrong = this.#wrong({ at: row.at, online: row.online, last: row.last });
    if (wrong) this.#scene.break("W-9", `the farm API has stored that the sensor was ${wrong}`);
  }
}
