import { CONTROLLER } from "../devices/furnish.ts";
import { NativeController } from "../devices/native-controller.ts";
import { Trouble } from "../network/trouble.ts";
import { CHARGED, ChargeForm, type ChargeWord } from "../people/charge-form.ts";
import { OpenForms } from "../people/open-forms.ts";
import type { Person } from "../people/person.ts";
import type { ChargeAct } from "../plan/charge-plan.ts";
import type { Scene } from "../scene/scene.ts";
import { inSeconds } from "../scene/story.ts";
import type { FurtherSave, Saves } from "./saves.ts";

/** Interval of looks at the store, ms. */
const LOOK_MS = 10_000;
/** Time beyond that of a save in which a switch-off is answered: it is sent every 30 s, and waits for 10 s (CMD-8). */
const OUTBOX_MS = 10_000;

/** One press, and what its form said. */
interface Press {
  readonly by: Person;
  readonly valve: number;
  readonly act: ChargeAct;
  /** The mode in charge that it wants. */
  readonly target: typeof CHARGED | "none";
  /** Saved with it. */
  readonly save: FurtherSave | null;
  readonly at: number;
  /** The stored switch-off; null: none, or it has left the browser. */
  entry: string | null;
  word: ChargeWord;
  wordAt: number;
  /** When its last call was over; null: it may still be carried out. */
  overAt: number | null;
  /** False once its page or its form is gone, or another one was pressed in it: it says nothing more. */
  isShown: boolean;
}

/** Content of the store about a channel. */
interface Held {
  readonly number: number;
  readonly mode: string;
  readonly revision: number;
  readonly minutes: number | null;
}

/** Modes that people put in charge and switch off, the words of their forms about them, and the store: W-6. */
export class Charges {
  readonly #scene: Scene;
  readonly #saves: Saves;
  readonly #presses: Press[] = [];
  readonly #forms = new OpenForms<ChargeForm, Press>();
  /** Content of the store at the last look, since when it is so, and when that was. */
  readonly #held = new Map<number, Held & { readonly since: number; readonly lookedAt: number }>();
  /** The way from the farm API and its database to the controller. */
  readonly #toController = new Trouble();
  /** Changes of the mode in charge, with the presses that may have made each. */
  readonly #changes: { readonly held: Held; readonly by: readonly Press[] }[] = [];
  readonly #valves: ReadonlySet<number>;
  #lookedAt: number;
  #isDue = false;

  constructor(scene: Scene, saves: Saves) {
    this.#scene = scene;
    this.#saves = saves;
    this.#lookedAt = scene.start;
    const { happenings } = scene.plan;
    this.#valves = new Set(happenings.flatMap((one) => (one.kind === "charge" ? [one.valve] : [])));
  }

  /** A person presses a button of the mode's form, if her page has it. */
  press(by: Person, valve: number, act: ChargeAct): void {
    const { page, isRead } = by.phone;
    if (!page || !isRead || this.#scene.bundled === null) return;
    const open = this.#forms.open(by, page, `${valve}`, () => new ChargeForm(page, valve));
    const isSaved = act === "save-on" || (act === "on" && open.form.minutes === "");
    const save = isSaved ? this.#saves.alsoSaved(by, valve) : null;
    const { now } = this.#scene.time;
    const target = act === "off" ? "none" : CHARGED;
    const press: Press = {
      ...{ by, valve, act, target, save, at: now, entry: null },
      ...{ word: "sending", wordAt: now, overAt: null, isShown: true },
    };
    const calls = {
      say: (word: ChargeWord) => this.#said(press, word),
      over: () => {
        press.overAt = this.#scene.time.now;
        this.#isDue = true;
      },
    };
    const before = page.stored.getState();
    const { form } = open;
    const isPressed = act === "off" ? form.turnOff(calls) : form.turnOn(save?.value ?? null, calls);
    if (!isPressed) return;
    const entry = page.stored.getState().find((one) => one.kind === "mode-off" && !before.includes(one));
    press.entry = act === "off" ? (entry?.id ?? null) : null;
    const what = act === "off" ? "off" : `on${save ? ` with ${save.value} min` : ""}`;
    this.#scene.story.tell(`${by.name} switches the ${CHARGED} of bed ${valve} ${what}`);
    this.#forms.pressed(open, press);
    if (save) this.#saves.begin(save);
    this.#presses.push(press);
  }

  #said(press: Press, word: ChargeWord): void {
    if (!press.isShown) return;
    if (press.word !== word)
      this.#scene.story.tell(
        `${press.by.name} reads of the ${CHARGED} of bed ${press.valve}, "${press.act}": ${word}`,
      );
    press.word = word;
    press.wordAt = this.#scene.time.now;
    if (press.save && word !== "sending") this.#saves.said(press.save, savedWordOf(word));
    this.#isDue = true;
  }

  /** Look at every form, and from time to time at the store. */
  look(): void {
    if (this.#valves.size === 0) return;
    const { bundled, isApiWell, isDeviceWell, time } = this.#scene;
    this.#toController.note(isApiWell && isDeviceWell && bundled?.isStoreWell !== false, time.now);
    this.#forms.look((press) => this.#lookForEnd(press));
    for (const press of this.#presses) this.#lookAtEntry(press);
    if (!(this.#isDue || time.now - this.#lookedAt > LOOK_MS) || bundled?.isStoreWell === false) return;
    this.#lookedAt = time.now;
    this.#isDue = false;
    // The world stands still meanwhile: no form says anything else.
    this.#scene.standStill(this.#readDatabase().then((held) => this.#hold(held)));
  }

  /** A later page may have the answer to a stored switch-off. */
  #lookAtEntry(press: Press): void {
    const { page, isRead, unanswered } = press.by.phone;
    if (press.entry === null || !page || !isRead || unanswered.some(({ id }) => id === press.entry)) return;
    press.entry = null;
    press.overAt ??= this.#scene.time.now;
  }

  async #readDatabase(): Promise<readonly Held[]> {
    const { database } = this.#scene.database.connect();
    const rows = await database.query<Held>(
      `select number, mode, mode_revision as revision, watering_duration as minutes from channel
       left join watering_${CHARGED} setting on setting.channel_id = channel.id where controller_id = $1`,
      [CONTROLLER.id],
    );
    return rows.filter(({ number }) => this.#valves.has(number));
  }

  #hold(channels: readonly Held[]): void {
    const { now } = this.#scene.time;
    for (const held of channels) {
      const before = this.#held.get(held.number);
      // Switched twice between two looks, it was another one for a moment.
      const since = before?.mode === held.mode && before.revision === held.revision ? before.since : now;
      const presses = this.#presses.filter(({ valve }) => valve === held.number);
      if (before && before.revision !== held.revision)
        this.#changes.push({ held, by: presses.filter((press) => mayMake(press, held, before.lookedAt)) });
      this.#held.set(held.number, { ...held, since, lookedAt: now });
      this.#lookAtScreens(held, since);
      this.#lookAtController(held, since);
      for (const press of presses) this.#judge(press, held, presses);
    }
    this.#lookAtCauses();
  }

  /** W-6: a mode is in charge, or none, because a person pressed it. What was called "not done" is not done. */
  #lookAtCauses(): void {
    for (const { held, by } of this.#changes) {
      if (by.some(({ word }) => word !== "not done" && word !== "saved only")) continue;
      const [press] = by;
      const wrong = press
        ? `${press.by.name} reads that "${press.act}" was ${press.word}`
        : "no press that was under way wanted that";
      this.#scene.break("W-6", `"${held.mode}" was put in charge of bed ${held.number}, and ${wrong}`);
    }
  }

  /** W-6: what was accepted or done is in the store, unless another press may have come after it. */
  #judge(press: Press, { number, mode }: Held, presses: readonly Press[]): void {
    if ((press.word !== "done" && press.word !== "accepted") || press.target === mode) return;
    const isLater = presses.some(
      ({ target, overAt }) => target === mode && (overAt === null || overAt >= press.at),
    );
    if (!isLater)
      this.#scene.break(
        "W-6",
        `${press.by.name} reads that the ${CHARGED} of bed ${number}, "${press.act}", is ${press.word}, and "${mode}" is stored`,
      );
  }

  /** W-6: a form that does not know what became of a press knows it when the way is whole again. */
  #lookForEnd(press: Press): void {
    const { act, by, save, target, valve, word, wordAt } = press;
    const held = this.#held.get(valve);
    const { wellSince } = by.toScreen;
    const { storeTroubledAt, time, bounds, bundled } = this.#scene;
    if (wellSince === null || bundled?.isStoreWell === false || !held) return;
    if (word !== "sending") {
      if (word !== "accepted" && word !== "unknown") return;
      // Only a report says that it was stored, and none that it was not.
      if (held.mode !== target || (save && `${held.minutes}` !== save.value)) return;
    }
    const storedSince = word === "sending" ? 0 : held.since;
    const since = Math.max(wordAt, wellSince, storeTroubledAt, by.wokeAt, storedSince);
    const most = bounds.saveKnownMs + (act === "off" ? OUTBOX_MS : 0);
    if (time.now - since <= most) return;
    this.#scene.break(
      "W-6",
      `${by.name}'s form reads "${word}" of the ${CHARGED} of bed ${valve}, "${act}", although all has been well for ${inSeconds(time.now - since)}`,
    );
  }

  /** W-6: every live screen shows the mode that is in charge. */
  #lookAtScreens({ number, mode }: Held, since: number): void {
    for (const { person, page, forMs } of this.#scene.pagesThatShow(since)) {
      const { shown } = new ChargeForm(page, number);
      if (shown === null || shown === mode) continue;
      this.#scene.break(
        "W-6",
        `${person.name}'s screen shows "${shown}" in charge of bed ${number}; "${mode}" has been stored for ${inSeconds(forMs)}`,
      );
    }
  }

  /** W-6: a native controller has the mode that is in charge. */
  #lookAtController({ number, mode }: Held, since: number): void {
    const { bounds, controller, time } = this.#scene;
    const { wellSince } = this.#toController;
    if (!(controller instanceof NativeController) || wellSince === null) return;
    const forMs = time.now - Math.max(since, wellSince);
    if (forMs <= bounds.saveShownMs || !this.#presses.some(({ valve }) => valve === number)) return;
    const has = controller.inCharge(number);
    if (has === mode) return;
    this.#scene.break(
      "W-6",
      `the controller has "${has}" in charge of bed ${number}; "${mode}" has been stored for ${inSeconds(forMs)}`,
    );
  }
}

/** True for a press that may have made a change of the store since a look at it, ms UTC. */
function mayMake({ target, overAt }: Press, { mode }: Held, since: number): boolean {
  return target === mode && (overAt === null || overAt >= since);
}

/** Return what a word says of the values that were saved with the press. */
function savedWordOf(word: ChargeWord): "unknown" | "saved" | "not saved" {
  if (word === "not done") return "not saved";
  return word === "unknown" || word === "sending" || word === "replaced" ? "unknown" : "saved";
}
