import { hashSecret } from "../../../api/src/accounts/key.ts";
import { ACCOUNT } from "../devices/furnish.ts";
import { CreationForm, type CreationWord, DeletionForm, thingsOn } from "../people/creation-form.ts";
import { OpenForms } from "../people/open-forms.ts";
import type { Person } from "../people/person.ts";
import type { Page } from "../people/phone.ts";
import { CREATED_THINGS, type CreatedThing, type CreationAct } from "../plan/creations-plan.ts";
import type { Scene } from "../scene/scene.ts";
import { inSeconds } from "../scene/story.ts";

/** Interval of looks at the store, ms. */
const LOOK_MS = 10_000;
/** Serial of the first sensor that people create. */
const FIRST_SERIAL = 400_001;

/** One press, and what its page said. */
interface Press {
  readonly by: Person;
  readonly thing: CreatedThing;
  readonly kind: "create" | "delete";
  /** Name of a farm, serial of a sensor. */
  readonly value: string;
  /** Id of a thing to delete. */
  readonly id: string | null;
  readonly at: number;
  /** The form of a creation, for its device key. */
  readonly form: CreationForm | null;
  word: CreationWord;
  wordAt: number;
  /** True once a call of it had no answer. */
  wasUnknown: boolean;
  /** True if the farm API has denied what it has while the press was under way. */
  wasDenied: boolean;
  isShown: boolean;
}

const WORDS = {
  create: { sending: "sending", done: "created", "not done": "not created", unknown: "unknown" },
  delete: { sending: "sending", done: "deleted", "not done": "not deleted", unknown: "unknown" },
} as const;

/** A thing in the store. */
interface Held {
  readonly isThere: boolean;
  readonly since: number;
}

/** The things of a kind in the store, by their values, with the hashes of their keys. */
type Store = ReadonlyMap<CreatedThing, ReadonlyMap<string, string | null>>;

const keyOf = (thing: CreatedThing, value: string): string => `${thing} ${value}`;

/** Things that people create and delete, what their pages say of it, and the store: W-6. */
export class Creations {
  readonly #scene: Scene;
  readonly #presses: Press[] = [];
  readonly #creating = new OpenForms<CreationForm, Press>();
  readonly #deleting = new OpenForms<DeletionForm, Press>();
  /** All that was pressed, as the store had it at the last look. */
  readonly #held = new Map<string, Held>();
  readonly #things: ReadonlySet<CreatedThing>;
  #lookedAt: number;
  #isDue = false;
  #count = 0;

  constructor(scene: Scene) {
    this.#scene = scene;
    this.#lookedAt = scene.start;
    const { happenings } = scene.plan;
    this.#things = new Set(happenings.flatMap((one) => (one.kind === "creation" ? [one.thing] : [])));
  }

  /** A person presses "add" or "delete", if her page has it. */
  press(by: Person, thing: CreatedThing, act: CreationAct): void {
    const { page, isRead } = by.phone;
    if (!page || !isRead) return;
    if (act === "delete" || act === "delete-again") this.#delete(by, page, thing, act === "delete-again");
    else this.#create(by, page, thing, act);
  }

  #create(by: Person, page: Page, thing: CreatedThing, act: CreationAct): void {
    const open = this.#formOf(by, page, thing);
    const { form, last } = open;
    const value = this.#valueOf(thing, act, last);
    if (value === null) return;
    const press = this.#begin({ by, thing, kind: "create", value, id: null, form });
    if (!form.press(value, (word) => this.#said(press, word))) return;
    this.#scene.story.tell(`${by.name} creates the ${keyOf(thing, value)}`);
    this.#creating.pressed(open, press);
    this.#presses.push(press);
  }

  /** Return the value of a press that creates; null: there is none to press again. */
  #valueOf(thing: CreatedThing, act: CreationAct, last: Press | null): string | null {
    if (act === "create-again") return last?.word === "done" ? null : (last?.value ?? null);
    const before = this.#presses.findLast((one) => one.thing === thing && one.kind === "create");
    if (act === "create-same" && before) return before.value;
    this.#count += 1;
    return thing === "farm" ? `farm ${this.#count}` : `${FIRST_SERIAL + this.#count}`;
  }

  #delete(by: Person, page: Page, thing: CreatedThing, isAgain: boolean): void {
    const open = this.#deleting.open(by, page, thing, () => new DeletionForm(page, thing));
    const { form, last } = open;
    const newest = [...thingsOn(page, thing)]
      .filter(([, value]) => this.#held.has(keyOf(thing, value)))
      .at(-1);
    const again = last?.id && last.word !== "done" ? ([last.id, last.value] as const) : undefined;
    const [id, value] = (isAgain ? again : newest) ?? [];
    if (id === undefined || value === undefined) return;
    const press = this.#begin({ by, thing, kind: "delete", value, id, form: null });
    if (!form.press(id, (word) => this.#said(press, word))) return;
    this.#scene.story.tell(`${by.name} deletes the ${keyOf(thing, value)}`);
    this.#deleting.pressed(open, press);
    this.#presses.push(press);
  }

  #begin(press: Pick<Press, "by" | "thing" | "kind" | "value" | "id" | "form">): Press {
    const { now } = this.#scene.time;
    this.#isDue = true;
    const unsaid = { word: "sending", wasUnknown: false, wasDenied: false, isShown: true } as const;
    return { ...press, at: now, wordAt: now, ...unsaid };
  }

  #formOf(by: Person, page: Page, thing: CreatedThing) {
    return this.#creating.open(by, page, thing, () => new CreationForm(page, thing));
  }

  #said(press: Press, word: CreationWord): void {
    if (!press.isShown || press.word === word) return;
    const { by, kind, thing, value } = press;
    this.#scene.story.tell(`${by.name} reads of the ${keyOf(thing, value)}: ${WORDS[kind][word]}`);
    press.word = word;
    press.wordAt = this.#scene.time.now;
    if (word === "unknown") press.wasUnknown = true;
    this.#isDue = true;
  }

  /** Look at every form, and from time to time at the store. */
  look(): void {
    if (this.#things.size === 0) return;
    const { bundled, people, plain, time } = this.#scene;
    // A page asks what its farm API offers when it begins.
    for (const by of people) {
      const { page, isRead } = by.phone;
      if (page && isRead) for (const thing of this.#things) this.#formOf(by, page, thing);
    }
    for (const press of this.#presses)
      if (plain?.hidesAll && (press.word === "sending" || press.word === "unknown")) press.wasDenied = true;
    this.#creating.look((press) => this.#lookForEnd(press));
    this.#deleting.look((press) => this.#lookForEnd(press));
    if (this.#presses.length === 0 || !(this.#isDue || time.now - this.#lookedAt > LOOK_MS)) return;
    if (bundled?.isStoreWell === false) return;
    this.#lookedAt = time.now;
    this.#isDue = false;
    if (plain) this.#hold(new Map([["farm", new Map(plain.farmNames.map((name) => [name, null]))]]));
    // The world stands still meanwhile: no page says anything else.
    else this.#scene.standStill(this.#readDatabase().then((store) => this.#hold(store)));
  }

  async #readDatabase(): Promise<Store> {
    const { database } = this.#scene.database.connect();
    const own = [`${ACCOUNT.id}`];
    const farms = await database.query<{ name: string }>(
      "select name from cluster where account_id = $1",
      own,
    );
    const sensors = await database.query<{ serial: number; hash: string }>(
      "select serial, encode(key_hash, 'hex') as hash from device where kind = 'sensor' and account_id = $1",
      own,
    );
    return new Map<CreatedThing, ReadonlyMap<string, string | null>>([
      ["farm", new Map(farms.map(({ name }) => [name, null]))],
      ["sensor", new Map(sensors.map(({ serial, hash }) => [`${serial}`, hash]))],
    ]);
  }

  #hold(store: Store): void {
    const { now } = this.#scene.time;
    for (const thing of CREATED_THINGS) {
      const values = store.get(thing) ?? new Map<string, string | null>();
      const presses = this.#presses.filter((press) => press.thing === thing);
      for (const value of new Set(presses.map((press) => press.value))) {
        const key = keyOf(thing, value);
        const isThere = values.has(value);
        const before = this.#held.get(key);
        const held = { isThere, since: before?.isThere === isThere ? before.since : now };
        this.#held.set(key, held);
        const same = presses.filter((press) => press.value === value);
        for (const press of same) {
          if (press.kind === "create") this.#judgeCreation(press, held, same, values.get(value) ?? null);
          else this.#judgeDeletion(press, held, same);
        }
        // Created and deleted between two looks, it was there for a moment.
        const since = Math.max(held.since, ...same.map(({ wordAt }) => wordAt));
        this.#lookAtScreens(thing, value, { ...held, since });
      }
    }
  }

  /** W-6: what was created is in the store, under the device key that the page shows; what was not is not. */
  #judgeCreation(press: Press, { isThere }: Held, same: readonly Press[], hash: string | null): void {
    const { by, form, thing, value, word } = press;
    const what = `${by.name} reads that the ${keyOf(thing, value)} was ${WORDS.create[word]}`;
    const mayHaveDone = (kind: Press["kind"]) =>
      same.some((other) => other !== press && other.kind === kind && other.word !== "not done");
    if (word === "done" && !isThere && !mayHaveDone("delete"))
      this.#scene.break("W-6", `${what}, and it is not stored`);
    if (word === "not done" && isThere && !press.wasDenied && !mayHaveDone("create"))
      this.#scene.break("W-6", `${what}, and it is stored`);
    if (word !== "done" || !isThere || hash === null || !press.isShown || !form?.hasKey) return;
    const { deviceKey } = form;
    if (deviceKey !== null && hashSecret(deviceKey).toString("hex") === hash) return;
    const shown = deviceKey === null ? "no device key" : "another device key than the stored one";
    this.#scene.break("W-6", `${what}, and her page shows ${shown}`);
  }

  /** W-6: what was deleted is not in the store; what was not deleted was there, and is there unless another deleted it. */
  #judgeDeletion(press: Press, { isThere, since }: Held, same: readonly Press[]): void {
    const { by, thing, value, word, at } = press;
    const what = `${by.name} reads that the ${keyOf(thing, value)} was ${WORDS.delete[word]}`;
    if (word === "done" && isThere) {
      // A creation that was still under way may have come after it.
      const isLater = same.some(
        (other) =>
          other.kind === "create" &&
          other.word !== "not done" &&
          (other.wordAt >= at || other.word !== "done" || (this.#scene.plain && other.wasUnknown)),
      );
      if (!isLater) this.#scene.break("W-6", `${what}, and it is stored`);
    }
    if (word !== "not done" || isThere) return;
    const isOfAnother = same.some(
      (other) => other !== press && other.kind === "delete" && other.word !== "not done",
    );
    if (!isOfAnother || since < at) this.#scene.break("W-6", `${what}, and it is not stored`);
  }

  /** W-6: a page that does not know what became of a creation knows it when the way is whole again. */
  #lookForEnd({ at, by, kind, thing, value, word }: Press): void {
    // A deletion without an answer may be pressed again (CMD-19).
    if (word !== "sending" && (word !== "unknown" || kind === "delete")) return;
    const { wellSince } = by.toScreen;
    const { bounds, bundled, storeTroubledAt, time } = this.#scene;
    if (wellSince === null || bundled?.isStoreWell === false) return;
    const since = Math.max(at, wellSince, storeTroubledAt, by.wokeAt);
    if (time.now - since <= bounds.createdKnownMs) return;
    const what = `of the ${keyOf(thing, value)}, to ${kind}`;
    this.#scene.break(
      "W-6",
      `${by.name}'s page reads "${word}" ${what}, although all has been well for ${inSeconds(time.now - since)}`,
    );
  }

  /** W-6: every live screen has what is stored, and nothing that was deleted. */
  #lookAtScreens(thing: CreatedThing, value: string, { isThere, since }: Held): void {
    for (const { person, page, forMs } of this.#scene.pagesThatShow(since)) {
      const isShown = [...thingsOn(page, thing).values()].includes(value);
      if (isShown === isThere) continue;
      this.#scene.break(
        "W-6",
        `${person.name}'s screen ${isShown ? "shows" : "does not show"} the ${keyOf(thing, value)}; it has ${isThere ? "" : "not "}been stored for ${inSeconds(forMs)}`,
      );
    }
  }
}
