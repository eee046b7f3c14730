import { AccountSettings } from "@mulkko/shared/rest/settings";
import { parseJson } from "@mulkko/shared/schema/parse";
import { ACCOUNT, CONTROLLER, SENSOR } from "../devices/furnish.ts";
import { NativeController } from "../devices/native-controller.ts";
import { Trouble } from "../network/trouble.ts";
import {
  capForm,
  type Form,
  type FormWord,
  farmForm,
  modeForm,
  sensorForm,
  valveSettingForm,
} from "../people/form.ts";
import { OpenForms } from "../people/open-forms.ts";
import type { Person } from "../people/person.ts";
import type { Page } from "../people/phone.ts";
import type { SavedThing } from "../plan/saves-plan.ts";
import type { Scene } from "../scene/scene.ts";
import { inSeconds } from "../scene/story.ts";

/** Interval of looks at the stores, ms. */
const LOOK_MS = 10_000;
/** Minutes of the first save of a limit or a mode: above the runs that people want, and above the default. */
const FIRST_MINUTES = 121;

/** Things that are saved: one value each in a store. */
type Key = "farm" | "sensor" | "run-limit" | `${"mode" | "valve-name" | "valve-run"} ${1 | 2}`;

function keyOf(thing: SavedThing, valve: number): Key {
  return thing === "farm" || thing === "sensor" || thing === "run-limit"
    ? thing
    : `${thing} ${valve === 1 ? 1 : 2}`;
}

/** True for a setting of the relay: its form loads it, and does not follow it. */
const isOfRelay = (key: Key): boolean => key === "run-limit" || key.startsWith("valve");

/** One save, and what its form said. */
interface Save {
  readonly by: Person;
  readonly key: Key;
  readonly value: string;
  readonly at: number;
  word: FormWord;
  wordAt: number;
  /** False once its page or its form is gone, or another value was saved in it: it says nothing more. */
  isShown: boolean;
}

/** A value that another form saves beside what it does. */
export interface FurtherSave {
  readonly value: string;
  readonly save: Save;
}

/** Values in the stores. */
type Truth = ReadonlyMap<Key, string>;

/** Saves of people, the words of their forms about them, and the stores: W-6. */
export class Saves {
  readonly #scene: Scene;
  readonly #saves: Save[] = [];
  readonly #forms = new OpenForms<Form, Save>();
  /** Values of the stores at the last look at them, and since when they are so. */
  readonly #stored = new Map<Key, { value: string; since: number }>();
  /** The way from the farm API and its database to the controller. */
  readonly #toController = new Trouble();
  #lookedAt: number;
  #isDue = false;
  #isAsking = false;
  #count = 0;

  constructor(scene: Scene) {
    this.#scene = scene;
    this.#lookedAt = scene.start;
  }

  /** A person saves a form with a new value, if her page has it. */
  save(by: Person, thing: SavedThing, valve: number): void {
    const { phone } = by;
    const { page } = phone;
    if (!page || !phone.isRead) return;
    const key = keyOf(thing, valve);
    this.#count += 1;
    const isName = thing === "farm" || thing === "sensor" || thing === "valve-name";
    const minutes = this.#count + (thing === "valve-run" ? 0 : FIRST_MINUTES);
    const value = isName ? `name ${this.#count}` : `${minutes}`;
    const open = this.#forms.open(by, page, key, () => this.#create(page, key));
    const { now } = this.#scene.time;
    const save: Save = { by, key, value, at: now, word: "sending", wordAt: now, isShown: true };
    const isPressed = open.form.save(value, (word) => this.#said(save, word));
    if (!isPressed) return;
    this.#scene.story.tell(`${by.name} saves the ${key}: ${value}`);
    this.#forms.pressed(open, save);
    this.#saves.push(save);
  }

  /** Return the next value of a mode's length, for a form that puts the mode in charge with it. */
  alsoSaved(by: Person, valve: number): FurtherSave {
    this.#count += 1;
    const value = `${FIRST_MINUTES + this.#count}`;
    const { now } = this.#scene.time;
    const key = valve === 1 ? "mode 1" : "mode 2";
    return { value, save: { by, key, value, at: now, word: "sending", wordAt: now, isShown: true } };
  }

  /** It was pressed. */
  begin({ save }: FurtherSave): void {
    this.#saves.push(save);
  }

  /** Its form says something of it. */
  said({ save }: FurtherSave, word: FormWord): void {
    save.word = word;
    save.wordAt = this.#scene.time.now;
    this.#isDue = true;
  }

  #create(page: Page, key: Key): Form {
    if (key === "farm") return farmForm(page);
    if (key === "sensor") return sensorForm(page, SENSOR.id);
    if (key === "run-limit") return capForm(page);
    const number = key.endsWith("1") ? 1 : 2;
    if (key.startsWith("valve"))
      return valveSettingForm(page, number, key.startsWith("valve-name") ? "name" : "minutes");
    return modeForm(page, number, this.#modeOf(number));
  }

  /** The mode of a valve that is in charge of nothing: its starts stay as they were planned. */
  #modeOf(number: number): "period" | "reservation" {
    const planned = this.#scene.plan.waterings?.find(({ valve }) => valve === number);
    return planned?.mode === "period" ? "reservation" : "period";
  }

  #said(save: Save, word: FormWord): void {
    if (!save.isShown) return;
    if (save.word !== word)
      this.#scene.story.tell(`${save.by.name} reads of the ${save.key} ${save.value}: ${word}`);
    save.word = word;
    save.wordAt = this.#scene.time.now;
    this.#isDue = true;
  }

  /** Look at every form, and from time to time at the stores. */
  look(): void {
    const { bundled, isApiWell, isDeviceWell, people, plan, time } = this.#scene;
    this.#toController.note(isApiWell && isDeviceWell && bundled?.isStoreWell !== false, time.now);
    // Their forms are shown once the page has read them.
    for (const one of plan.happenings) {
      const key = one.kind === "save" ? keyOf(one.thing, one.valve) : null;
      if (key === null || !isOfRelay(key)) continue;
      for (const by of people) {
        const { page, isRead } = by.phone;
        if (page && isRead) this.#forms.open(by, page, key, () => this.#create(page, key));
      }
    }
    this.#forms.look((save) => this.#lookForEnd(save));
    if (this.#saves.length === 0 || !(this.#isDue || time.now - this.#lookedAt > LOOK_MS)) return;
    this.#lookedAt = time.now;
    this.#isDue = false;
    this.lookAtStores();
  }

  /** W-6: a form that does not know what became of its content knows it when the way is whole again. */
  #lookForEnd(save: Save): void {
    const { word, wordAt, by, key, value } = save;
    if (word !== "unknown" && word !== "sending") return;
    // Without a version nothing but a report can say that it was stored, and none that it was not (CMD-19).
    const isOfReport = key.startsWith("mode") || (key === "farm" && this.#scene.plain !== null);
    if (isOfReport && word === "unknown" && this.#stored.get(key)?.value !== value) return;
    const { wellSince } = by.toScreen;
    if (wellSince === null || this.#scene.bundled?.isStoreWell === false) return;
    const { storeTroubledAt, time, bounds } = this.#scene;
    const storedSince = isOfReport ? (this.#stored.get(key)?.since ?? 0) : 0;
    const since = Math.max(wordAt, wellSince, storeTroubledAt, by.wokeAt, storedSince);
    if (time.now - since <= bounds.saveKnownMs) return;
    this.#scene.break(
      "W-6",
      `${by.name}'s form of the ${key} reads "${word}" of ${value}, although all has been well for ${inSeconds(time.now - since)}`,
    );
  }

  /** W-6: every live screen shows what is stored. */
  #lookAtScreens(key: Key, value: string, since: number): void {
    if (isOfRelay(key)) return;
    for (const { person, page, forMs } of this.#scene.pagesThatShow(since)) {
      const { shown } = this.#create(page, key);
      if (shown === null || shown === value) continue;
      this.#scene.break(
        "W-6",
        `${person.name}'s screen shows the ${key} as "${shown}"; "${value}" has been stored for ${inSeconds(forMs)}`,
      );
    }
  }

  /** W-6: a native controller has the settings of a mode that are stored. */
  #lookAtController(key: Key, value: string, since: number): void {
    const { bounds, controller, time } = this.#scene;
    const { wellSince } = this.#toController;
    if (!(controller instanceof NativeController) || wellSince === null) return;
    if (!this.#saves.some((save) => save.key === key && save.value === value)) return;
    const number = key === "mode 1" ? 1 : key === "mode 2" ? 2 : null;
    const forMs = time.now - Math.max(since, wellSince);
    if (number === null || forMs <= bounds.saveShownMs) return;
    const held = controller.minutesOf(number, this.#modeOf(number));
    if (`${held}` === value) return;
    this.#scene.break(
      "W-6",
      `the controller has ${held} minutes for the ${key}; ${value} have been stored for ${inSeconds(forMs)}`,
    );
  }

  /** W-6: what the forms say agrees with what the stores hold. */
  lookAtStores(): void {
    if (this.#scene.bundled?.isStoreWell === false) return;
    this.#lookAtSettings();
    if (this.#scene.plain) {
      const name = this.#scene.plain.farmName;
      if (name !== null) this.#hold(new Map([["farm", name]]), [...this.#saves]);
      return;
    }
    // What the forms say now is compared with what is stored now.
    const said = this.#saves.map((save) => ({ ...save }));
    this.#scene.standStill(this.#readDatabase().then((truth) => this.#hold(truth, said)));
  }

  async #readDatabase(): Promise<Truth> {
    const { database } = this.#scene.database.connect();
    const [farm] = await database.query<{ name: string }>(
      "select name from cluster where account_id = $1 order by id limit 1",
      [`${ACCOUNT.id}`],
    );
    const [sensor] = await database.query<{ name: string }>("select name from sensor where id = $1", [
      SENSOR.id,
    ]);
    const truth = new Map<Key, string>();
    if (farm) truth.set("farm", farm.name);
    if (sensor) truth.set("sensor", sensor.name);
    for (const number of [1, 2]) {
      const [row] = await database.query<{ minutes: number }>(
        `select watering_duration as minutes from watering_${this.#modeOf(number)} mode
         join channel on channel.id = mode.channel_id where controller_id = $1 and number = $2`,
        [CONTROLLER.id, number],
      );
      if (row) truth.set(number === 1 ? "mode 1" : "mode 2", `${row.minutes}`);
    }
    return truth;
  }

  /** Ask the relay for its settings, at the machine itself. */
  #lookAtSettings(): void {
    if (this.#isAsking || !this.#saves.some(({ key }) => isOfRelay(key))) return;
    const there = this.#scene.relays.next().app?.server ?? null;
    const page = this.#scene.people.find(({ phone }) => phone.isRead)?.phone.page;
    const token = page?.session.accessToken() ?? null;
    if (!there || !page || token === null) return;
    const channels = [...page.live.store.all("channel")];
    const said = this.#saves.map((save) => ({ ...save }));
    this.#isAsking = true;
    const done = (): void => {
      this.#isAsking = false;
    };
    there
      .inject({ method: "GET", url: "/relay/settings", headers: { authorization: `Bearer ${token}` } })
      .then(({ statusCode, body }) => {
        done();
        const read = statusCode === 200 ? parseJson(AccountSettings, body) : null;
        if (!read?.ok) return;
        const [cap] = Object.values(read.value.controllers);
        const truth = new Map<Key, string>([["run-limit", minutesOf(cap?.maxRunSeconds)]]);
        for (const [id, { number }] of channels) {
          const { name = "", defaultRunSeconds } = read.value.channels[id] ?? {};
          truth.set(keyOf("valve-name", number), name);
          truth.set(keyOf("valve-run", number), minutesOf(defaultRunSeconds));
        }
        this.#hold(truth, said);
      }, done);
  }

  /** Compare what the stores hold with what the forms had said by then. */
  #hold(truth: Truth, said: readonly Save[]): void {
    const { now } = this.#scene.time;
    for (const [key, value] of truth) {
      const before = this.#stored.get(key);
      const since = before?.value === value ? before.since : now;
      this.#stored.set(key, { value, since });
      this.#lookAtScreens(key, value, since);
      this.#lookAtController(key, value, since);
      for (const save of said) if (save.key === key) this.#judge(save, value);
    }
  }

  #judge(save: Save, stored: string): void {
    const { by, key, value, word } = save;
    const isThere = stored === value;
    const isNever = word === "not saved" || (word === "replaced" && !isOfRelay(key));
    if (isNever && isThere) {
      this.#scene.break("W-6", `${by.name} reads that the ${key} ${value} was ${word}, and it is stored`);
      return;
    }
    if (word !== "saved" || isThere) return;
    // Another save may have come after it, if it was not over before this one began.
    const isLater = this.#saves.some(
      (other) =>
        other.key === key &&
        other.value === stored &&
        !((other.word === "saved" || other.word === "not saved") && other.wordAt < save.at),
    );
    if (!isLater)
      this.#scene.break(
        "W-6",
        `${by.name} reads that the ${key} ${value} was saved, and "${stored}" is stored`,
      );
  }
}

const minutesOf = (seconds: number | undefined): string => (seconds === undefined ? "" : `${seconds / 60}`);
