import { isUnknownOutcome } from "../../../web/src/api/errors.ts";
import { putInCharge, saveSetting } from "../../../web/src/api/modes.ts";
import {
  formValuesOf,
  type ModeValues,
  settingOf,
} from "../../../web/src/features/controller/modes/mode-model.ts";
import { isDone, type ModePending } from "../../../web/src/features/controller/modes/mode-pending.ts";
import type { Page } from "./phone.ts";

/**
 * State of a press in the words of a mode's form: sent, accepted but not reported yet, without an answer, done as the
 * channel reports it, saved but not in charge, not done, or taken back by a newer press.
 */
export type ChargeWord = "sending" | "accepted" | "unknown" | "done" | "saved only" | "not done" | "replaced";

/** A press of the form: called with each word about it, and once its calls are over, with or without success. */
export interface ChargePress {
  readonly say: (word: ChargeWord) => void;
  readonly over: () => void;
}

/** Mode that people put in charge. */
export const CHARGED = "period";
/** Interval of it, minutes: its first start lies behind the end of every world. */
const INTERVAL = "43200";

/** The form of a channel's period, with its buttons to switch it on and off (`useModeForm`, extension `mode-enable`). */
export class ChargeForm {
  readonly #page: Page;
  readonly #number: number;
  #pending: ModePending | null = null;
  #press: ChargePress | null = null;
  #isBusy = false;

  constructor(page: Page, number: number) {
    this.#page = page;
    this.#number = number;
  }

  #channel() {
    return [...this.#page.live.store.all("channel")].find(([, value]) => value.number === this.#number);
  }

  /** The mode in charge as the page shows it; null while it does not know it. */
  get shown(): string | null {
    return this.#channel()?.[1].modes?.active ?? null;
  }

  /** Minutes of the mode as the page shows it; empty without a setting. */
  get minutes(): string {
    return formValuesOf(CHARGED, this.#channel()?.[1].modes ?? null).minutes;
  }

  get #isLive(): boolean {
    return this.#page.live.link.getState().screen.state === "live";
  }

  #pressedAt() {
    const { serverClock } = this.#page.live;
    const withinMs = serverClock.mayBeAhead();
    return withinMs === null ? null : { at: serverClock.now(), withinMs };
  }

  /**
   * Put the mode in charge.
   *
   * @param minutes to save with it; null: as it is stored
   * @returns false where the page does not let it be pressed
   */
  turnOn(minutes: string | null, press: ChargePress): boolean {
    const [channelId, value] = this.#channel() ?? [];
    const modes = value?.modes ?? null;
    if (this.#isBusy || channelId === undefined || modes === null || !this.#isLive) return false;
    const values = minutes === null ? null : { ...formValuesOf(CHARGED, modes), minutes, interval: INTERVAL };
    this.#begin(press);
    void this.#send(channelId, values, press).finally(() => {
      this.#isBusy = false;
    });
    return true;
  }

  async #send(channelId: string, values: ModeValues | null, press: ChargePress): Promise<void> {
    const { rest, outbox } = this.#page;
    const failed = (error: unknown, otherwise: ChargeWord): void => {
      if (isUnknownOutcome(error)) {
        this.#wait(press, "on", values, true);
        return;
      }
      press.over();
      this.#said(press, otherwise);
    };
    try {
      if (values) await saveSetting(rest, channelId, settingOf(CHARGED, values, "apart"), this.#pressedAt());
    } catch (error) {
      failed(error, "not done");
      return;
    }
    try {
      outbox.modeOn(channelId);
      await putInCharge(rest, channelId, CHARGED, this.#pressedAt());
    } catch (error) {
      failed(error, values ? "saved only" : "not done");
      return;
    }
    press.over();
    this.#wait(press, "on", values, false);
  }

  /** Switch the mode off, with or without a line. @returns as {@link turnOn} */
  turnOff(press: ChargePress): boolean {
    const [channelId, value] = this.#channel() ?? [];
    if (this.#isBusy || channelId === undefined || !value || value.modes === null) return false;
    this.#begin(press);
    const { controllerId, number } = value;
    const off = { form: "controller", controllerId, number, mode: CHARGED, way: "charge" } as const;
    void this.#page.outbox.modeOff(off, { channelId, name: null }).then((outcome) => {
      this.#isBusy = false;
      if (outcome.kind === "taken") {
        press.over();
        this.#wait(press, "off", null, false);
        return;
      }
      if (outcome.kind === "refused") {
        this.#page.outbox.dismiss(outcome.id);
        press.over();
      }
      this.#said(press, outcome.kind === "refused" ? "not done" : "replaced");
    });
    return true;
  }

  #begin(press: ChargePress): void {
    this.#isBusy = true;
    this.#pending = null;
    this.#press = press;
    press.say("sending");
  }

  #said(press: ChargePress, word: ChargeWord): void {
    if (this.#press === press && this.#page.process.isAlive()) press.say(word);
  }

  #wait(press: ChargePress, kind: "on" | "off", values: ModeValues | null, unsure: boolean): void {
    if (this.#press !== press) return;
    this.#pending = { kind, mode: CHARGED, values, since: this.#page.process.clock.now(), unsure };
    this.#said(press, unsure ? "unknown" : "accepted");
    this.look();
  }

  /** Look at what is reported, as a page does with each message. */
  look(): void {
    const modes = this.#channel()?.[1].modes ?? null;
    if (this.#pending === null || this.#press === null || !isDone(this.#pending, modes)) return;
    this.#pending = null;
    this.#said(this.#press, "done");
  }

  /** Leave the form. */
  end(): void {
    this.#press = null;
    this.#pending = null;
  }
}
