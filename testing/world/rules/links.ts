import { CONTROLLER, SENSOR } from "../devices/furnish.ts";
import { type LinkAct, LinkForm, type LinkWord } from "../people/link-form.ts";
import { OpenForms } from "../people/open-forms.ts";
import type { Person } from "../people/person.ts";
import type { Scene } from "../scene/scene.ts";
import { inSeconds } from "../scene/story.ts";

/** Interval of looks at the store, ms. */
const LOOK_MS = 10_000;

/** One press, and what its form said. */
interface Press {
  readonly by: Person;
  readonly valve: number;
  readonly act: LinkAct;
  readonly at: number;
  word: LinkWord;
  wordAt: number;
  isShown: boolean;
}

/** A link as the store had it at the last look, since when it is so, and when that was, ms UTC. */
interface Held {
  readonly isOn: boolean;
  readonly since: number;
  readonly lookedAt: number;
}

/** A change of a link, with the presses that may have made it. */
interface Change {
  readonly valve: number;
  readonly isOn: boolean;
  readonly by: readonly Press[];
}

/** The sensor that people put on channels and take off, the words of their forms about it, and the store: W-6. */
export class Links {
  readonly #scene: Scene;
  readonly #presses: Press[] = [];
  readonly #forms = new OpenForms<LinkForm, Press>();
  readonly #held = new Map<number, Held>();
  readonly #changes: Change[] = [];
  readonly #isPlanned: boolean;
  #lookedAt: number;
  #isDue = false;

  constructor(scene: Scene) {
    this.#scene = scene;
    this.#lookedAt = scene.start;
    this.#isPlanned = scene.plan.happenings.some(({ kind }) => kind === "link");
  }

  /** A person puts the sensor on a channel, or takes it off, if her page lets her. */
  press(by: Person, valve: number): void {
    const { page, isRead } = by.phone;
    if (!page || !isRead || this.#scene.bundled === null) return;
    const open = this.#forms.open(by, page, "links", () => new LinkForm(page));
    const { now } = this.#scene.time;
    const act = open.form.shown(valve)?.includes(SENSOR.id) ? "take" : "put";
    const press: Press = { by, valve, act, at: now, word: "sending", wordAt: now, isShown: true };
    const say = (word: LinkWord): void => this.#said(press, word);
    if (!open.form[act](valve, SENSOR.id, say)) return;
    this.#scene.story.tell(
      `${by.name} ${act === "put" ? "puts the sensor on" : "takes the sensor off"} bed ${valve}`,
    );
    this.#forms.pressed(open, press);
    this.#presses.push(press);
    this.#isDue = true;
  }

  #said(press: Press, word: LinkWord): void {
    if (!press.isShown || press.word === word) return;
    const { act, by, valve } = press;
    this.#scene.story.tell(`${by.name} reads of the sensor of bed ${valve}, "${act}": ${word}`);
    press.word = word;
    press.wordAt = this.#scene.time.now;
    this.#isDue = true;
  }

  /** Look at every form, and from time to time at the store. */
  look(): void {
    const { bundled, time } = this.#scene;
    if (!this.#isPlanned || bundled === null) return;
    this.#forms.look((press) => this.#lookForEnd(press));
    if (!(this.#isDue || time.now - this.#lookedAt > LOOK_MS) || !bundled.isStoreWell) return;
    this.#lookedAt = time.now;
    this.#isDue = false;
    // The world stands still meanwhile: no form says anything else.
    this.#scene.standStill(this.#readDatabase().then((on) => this.#hold(on)));
  }

  /** Read the channels on which the sensor is. */
  async #readDatabase(): Promise<ReadonlySet<number>> {
    const { database } = this.#scene.database.connect();
    const rows = await database.query<{ number: number }>(
      `select number from channel join channel_sensor on channel_id = channel.id
       where controller_id = $1 and sensor_id = $2`,
      [CONTROLLER.id, SENSOR.id],
    );
    return new Set(rows.map(({ number }) => number));
  }

  #hold(on: ReadonlySet<number>): void {
    const { now } = this.#scene.time;
    for (const { number: valve } of this.#scene.valves) {
      const isOn = on.has(valve);
      const before = this.#held.get(valve);
      if (before && before.isOn !== isOn) {
        const by = this.#presses.filter(
          (press) => press.valve === valve && mayMake(press, isOn, before.lookedAt),
        );
        this.#changes.push({ valve, isOn, by });
      }
      const since = before?.isOn === isOn ? before.since : now;
      this.#held.set(valve, { isOn, since, lookedAt: now });
      const own = this.#presses.filter((press) => press.valve === valve);
      for (const press of own) this.#judge(press, isOn);
      // Put on and taken off again between two looks, it was there for a moment.
      this.#lookAtScreens(valve, isOn, Math.max(since, ...own.map(({ wordAt }) => wordAt)));
    }
    for (const change of this.#changes) this.#lookAtCause(change);
  }

  /** W-6: a sensor is put on a channel, or taken off, because a person pressed it, and not if she reads that it is not. */
  #lookAtCause({ valve, isOn, by }: Change): void {
    if (by.some(({ word }) => word !== "not done")) return;
    const [press] = by;
    const wrong = press
      ? `${press.by.name} reads that this was not done`
      : "no press that was under way wanted that";
    this.#scene.break("W-6", `the sensor was ${isOn ? "put on" : "taken off"} bed ${valve}, and ${wrong}`);
  }

  /** W-6: what a form calls done is in the store, unless another press may have come after it. */
  #judge(press: Press, isOn: boolean): void {
    const { act, at, by, valve, word } = press;
    if (word !== "done" || isOn === (act === "put")) return;
    const isLater = this.#presses.some((other) => other.valve === valve && mayMake(other, isOn, at));
    if (!isLater)
      this.#scene.break(
        "W-6",
        `${by.name} reads that the sensor of bed ${valve}, "${act}", was done, and it is ${isOn ? "" : "not "}stored there`,
      );
  }

  /** W-6: a form that does not know what became of a press knows it when the way is whole again. */
  #lookForEnd({ act, at, by, valve, word, wordAt }: Press): void {
    // Taking it off without an answer may be pressed again (CMD-19).
    if (word !== "sending" && (word !== "unknown" || act === "take")) return;
    const { wellSince } = by.toScreen;
    const { bounds, bundled, storeTroubledAt, time } = this.#scene;
    if (wellSince === null || bundled?.isStoreWell === false) return;
    const since = Math.max(at, wordAt, wellSince, storeTroubledAt, by.wokeAt);
    // Once its version has changed, by its own first call or by another page, only the report of it ends it.
    const most = word === "unknown" ? bounds.saveReadMs : bounds.saveKnownMs;
    if (time.now - since <= most) return;
    this.#scene.break(
      "W-6",
      `${by.name}'s form reads "${word}" of the sensor of bed ${valve}, "${act}", although all has been well for ${inSeconds(time.now - since)}`,
    );
  }

  /** W-6: every live screen shows the sensor where it is. */
  #lookAtScreens(valve: number, isOn: boolean, since: number): void {
    for (const { person, page, forMs } of this.#scene.pagesThatShow(since)) {
      const shown = new LinkForm(page).shown(valve);
      if (shown === null || shown.includes(SENSOR.id) === isOn) continue;
      this.#scene.break(
        "W-6",
        `${person.name}'s screen shows the sensor ${isOn ? "off" : "on"} bed ${valve}; the store has had it otherwise for ${inSeconds(forMs)}`,
      );
    }
  }
}

/** True for a press that may have made a change of the store since a time, ms UTC. */
function mayMake({ act, isShown, word, wordAt }: Press, isOn: boolean, since: number): boolean {
  const isOpen = word === "sending" || word === "unknown" || word === "replaced";
  return isOn === (act === "put") && (isOpen || !isShown || wordAt >= since);
}
