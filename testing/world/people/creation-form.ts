import { sensorList } from "@mulkko/shared/rest/operations/sensors";
import { RelayConfig } from "@mulkko/shared/rest/relay-config";
import { relayPath } from "@mulkko/shared/rest/routes";
import { newCommandId } from "../../../web/src/api/commands.ts";
import { acceptGone, isUnknownOutcome } from "../../../web/src/api/errors.ts";
import { addFarm, deleteFarm, hasFarm } from "../../../web/src/api/farms.ts";
import { addSensor, deleteSensor, hasSerial } from "../../../web/src/api/sensors.ts";
import { addForm, NEW_SENSOR } from "../../../web/src/domain/device/sensor-values.ts";
import { Saving } from "../../../web/src/domain/form/saving.ts";
import type { CreatedThing } from "../plan/creations-plan.ts";
import type { Page } from "./phone.ts";

/** Word of a page about a creation or a deletion; "done": the thing was created, or was deleted. */
export type CreationWord = "sending" | "done" | "not done" | "unknown";

/** Called with each word about a press. */
export type SayCreation = (word: CreationWord) => void;

const WORDS = {
  none: null,
  sending: "sending",
  saved: "done",
  found: "done",
  replaced: "unknown",
  refused: "not done",
  unknown: "unknown",
} as const;

/** Delay before a page asks again what the farm API offers (`createServedApi`), ms. */
const ASK_AGAIN_MS = 10_000;

interface NewThing {
  /** Name of a farm, serial of a sensor. */
  readonly value: string;
}

/** The form that creates a farm (`FarmAddPage`) or a sensor (`useSensorAdd`). */
export class CreationForm {
  readonly #page: Page;
  readonly #thing: CreatedThing;
  readonly #saving: Saving<NewThing>;
  #isIdempotent = false;
  #isBusy = false;
  #deviceKey: string | null = null;
  #hasKey = false;
  #say: SayCreation = () => undefined;

  constructor(page: Page, thing: CreatedThing) {
    this.#page = page;
    this.#thing = thing;
    this.#saving = new Saving(page.process.timers, newCommandId);
    this.#saving.begin(({ kind }) => {
      const word = WORDS[kind];
      if (word !== null && page.process.isAlive()) this.#say(word);
    });
    this.#ask();
  }

  /** Ask what the farm API offers (`useExtension`). */
  #ask(): void {
    const { process, rest } = this.#page;
    rest.call({ method: "GET", path: relayPath.config, answer: RelayConfig }).then(
      ({ extensions }) => {
        this.#isIdempotent = extensions.includes("idempotent-create");
      },
      () => void process.timers.after(ASK_AGAIN_MS, () => this.#ask()),
    );
  }

  /** The device key of the last press, as the page shows it; null: none. */
  get deviceKey(): string | null {
    return this.#deviceKey;
  }

  /** True if the last press has to bring a device key, however its calls were lost. */
  get hasKey(): boolean {
    return this.#hasKey;
  }

  /** Type a value, and press "add". @returns false where the page does not let it be pressed */
  press(value: string, say: SayCreation): boolean {
    // Its button is disabled while it sends.
    if (this.#isBusy) return false;
    this.#say = say;
    this.#isBusy = true;
    const { rest } = this.#page;
    const isFarm = this.#thing === "farm";
    this.#deviceKey = null;
    this.#hasKey = this.#isIdempotent && !isFarm;
    const order = {
      sent: { value },
      base: { values: { value: "" }, version: null },
      send: async (key: string): Promise<void> => {
        if (isFarm) await addFarm(rest, { name: value, description: "", sensors: [] }, key);
        else {
          const values = { ...NEW_SENSOR, name: `sensor ${value}`, serial: value };
          const made = await addSensor(rest, addForm(values, { devices: true, crops: true }), key);
          this.#deviceKey = made?.deviceKey ?? null;
        }
      },
      creates: {
        isIdempotent: this.#isIdempotent,
        exists: (): Promise<boolean> => (isFarm ? hasFarm(rest, value) : hasSerial(rest, sensorList, value)),
      },
    };
    void this.#saving.save(order).finally(() => {
      this.#isBusy = false;
    });
    return true;
  }

  look(): void {
    // What it creates is not on the page before it is created.
  }

  end(): void {
    this.#saving.end();
  }
}

/** Return the values of a page's things of a kind, by their ids: names of farms, serials of sensors. */
export function thingsOn(page: Page, thing: CreatedThing): ReadonlyMap<string, string> {
  const { store } = page.live;
  return thing === "farm"
    ? new Map([...store.all("farm")].map(([id, { info }]) => [id, info.name]))
    : new Map([...store.all("sensor")].map(([id, { info }]) => [id, `${info.serial}`]));
}

/** The question whether a thing is to be deleted (`useDeletion`). */
export class DeletionForm {
  readonly #page: Page;
  readonly #thing: CreatedThing;
  #isBusy = false;
  #isLeft = false;

  constructor(page: Page, thing: CreatedThing) {
    this.#page = page;
    this.#thing = thing;
  }

  /** Press "delete". @returns false where the page does not let it be pressed */
  press(id: string, say: SayCreation): boolean {
    if (this.#isBusy) return false;
    const { process, rest } = this.#page;
    this.#isBusy = true;
    const said = (word: CreationWord): void => {
      this.#isBusy = word === "sending";
      if (process.isAlive() && !this.#isLeft) say(word);
    };
    said("sending");
    const remove = this.#thing === "farm" ? deleteFarm(rest, id) : deleteSensor(rest, id);
    remove.catch(acceptGone).then(
      () => said("done"),
      (error: unknown) => said(isUnknownOutcome(error) ? "unknown" : "not done"),
    );
    return true;
  }

  look(): void {
    // Only its own call ends it (FORM-2).
  }

  end(): void {
    this.#isLeft = true;
  }
}
