import { newCommandId } from "../../../web/src/api/commands.ts";
import { removeChannelSensor, updateController } from "../../../web/src/api/controllers.ts";
import { acceptGone, isUnknownOutcome } from "../../../web/src/api/errors.ts";
import { changedFields } from "../../../web/src/api/http.ts";
import { Saving, type Stored } from "../../../web/src/domain/form/saving.ts";
import {
  CHANNEL_NUMBERS,
  type ControllerValues,
  changeBody,
  controllerValues,
  fieldOfChannel,
  mergeSensors,
  type ServerChannel,
} from "../../../web/src/features/controller-edit/controller-form.ts";
import type { Page } from "./phone.ts";

/** Presses: put a sensor on a channel, take it off. */
export type LinkAct = "put" | "take";

/** Word of a page about a sensor that is put on a channel, or taken off it. */
export type LinkWord = "sending" | "done" | "replaced" | "not done" | "unknown";

const WORDS = {
  none: null,
  sending: "sending",
  saved: "done",
  found: "done",
  replaced: "replaced",
  refused: "not done",
  unknown: "unknown",
} as const;

/** Fields that the bundled farm API stores. */
const OFFERS = { farms: true, drivers: true };

/** The form of the account's controller (`ControllerEditPage`), in which sensors are put on channels, and taken off. */
export class LinkForm {
  readonly #page: Page;
  readonly #saving: Saving<ControllerValues>;
  #say: (word: LinkWord) => void = () => undefined;
  #isBusy = false;
  #isLeft = false;

  constructor(page: Page) {
    this.#page = page;
    this.#saving = new Saving(page.process.timers, newCommandId);
    this.#saving.begin(({ kind }) => {
      const word = WORDS[kind];
      if (word !== null) this.#said(word);
    });
  }

  #said(word: LinkWord): void {
    if (this.#page.process.isAlive() && !this.#isLeft) this.#say(word);
  }

  get #channels(): readonly ServerChannel[] {
    return [...this.#page.live.store.all("channel")].map(([id, { number, name = null, sensorIds }]) => ({
      id,
      number,
      name,
      sensorIds: sensorIds.map(String),
    }));
  }

  #known(): { readonly id: string; readonly stored: Stored<ControllerValues> } | null {
    const [known] = [...this.#page.live.store.all("controller")];
    if (!known) return null;
    const [id, { info }] = known;
    return { id, stored: { values: controllerValues(info, this.#channels), version: info.version ?? null } };
  }

  /** Ids of the sensors on a channel as the page shows them; null while it does not know them. */
  shown(number: number): readonly string[] | null {
    return this.#channels.find((one) => one.number === number)?.sensorIds ?? null;
  }

  /** Choose a sensor for a channel, and press "save". @returns false where the page does not let it be pressed */
  put(number: number, sensorId: string, say: (word: LinkWord) => void): boolean {
    const known = this.#known();
    const place = CHANNEL_NUMBERS.find((one) => one === number);
    if (this.#isBusy || known === null || place === undefined || this.shown(number) === null) return false;
    const { id, stored } = known;
    const { values, version } = stored;
    const field = fieldOfChannel(place);
    const sent = { ...values, [field]: mergeSensors(values[field] ?? [], [sensorId]) };
    this.#say = say;
    this.#isBusy = true;
    const send = (): Promise<void> => {
      const body = changeBody(sent, values, OFFERS);
      const { name, serial } = body;
      const changed = changedFields(body, changeBody(values, values, OFFERS));
      return updateController(this.#page.rest, id, { name, serial, ...changed }, version);
    };
    void this.#saving.save({ sent, base: stored, send }).finally(() => {
      this.#isBusy = false;
    });
    return true;
  }

  /** Take a sensor off a channel (`useDeletion`). @returns as {@link put} */
  take(number: number, sensorId: string, say: (word: LinkWord) => void): boolean {
    const channel = this.#channels.find((one) => one.number === number);
    if (this.#isBusy || !channel?.sensorIds.includes(sensorId)) return false;
    this.#say = say;
    this.#isBusy = true;
    const said = (word: LinkWord): void => {
      this.#isBusy = word === "sending";
      this.#said(word);
    };
    said("sending");
    removeChannelSensor(this.#page.rest, channel.id, sensorId)
      .catch(acceptGone)
      .then(
        () => said("done"),
        (error: unknown) => said(isUnknownOutcome(error) ? "unknown" : "not done"),
      );
    return true;
  }

  look(): void {
    const known = this.#saving.unknown && this.#known();
    if (known) this.#saving.reported(known.stored);
  }

  end(): void {
    this.#isLeft = true;
    this.#saving.end();
  }
}
