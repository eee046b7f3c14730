import type { AccountSettings } from "@mulkko/shared/rest/settings";
import { newCommandId } from "../../../web/src/api/commands.ts";
import { isUnknownOutcome } from "../../../web/src/api/errors.ts";
import { updateFarm } from "../../../web/src/api/farms.ts";
import { changedFields } from "../../../web/src/api/http.ts";
import { saveSetting } from "../../../web/src/api/modes.ts";
import { updateSensor } from "../../../web/src/api/sensors.ts";
import { changeChannelSettings, changeRunCap, fetchSettings } from "../../../web/src/api/settings.ts";
import {
  type SensorValues,
  sensorValuesOf,
  updateForm,
} from "../../../web/src/domain/device/sensor-values.ts";
import { Saving, type Stored } from "../../../web/src/domain/form/saving.ts";
import {
  type ChannelValues,
  capValuesOf,
  channelBodyOf,
  channelValuesOf,
  HARD_CAP_MINUTES,
} from "../../../web/src/domain/valve/setting-values.ts";
import { formValuesOf, settingOf } from "../../../web/src/features/controller/modes/mode-model.ts";
import { isDone, type ModePending } from "../../../web/src/features/controller/modes/mode-pending.ts";
import type { Page } from "./phone.ts";

/** State of its content in the words of a form. */
export type FormWord = "sending" | "saved" | "not saved" | "unknown" | "replaced";

/** A form of a thing on a page. Its content is one value: a name, or minutes. */
export interface Form {
  /** Value of the thing on the page; null while the page does not know it. */
  readonly shown: string | null;
  /**
   * Type a value, and press "save".
   *
   * @param say called with each word of the form about this value
   * @returns false where the page does not let it be pressed
   */
  save(value: string, say: (word: FormWord) => void): boolean;
  /** Look at what is reported, as a page does with each message. */
  look(): void;
  /** Leave the form. */
  end(): void;
}

const WORDS = {
  none: null,
  sending: "sending",
  saved: "saved",
  found: "saved",
  replaced: "replaced",
  refused: "not saved",
  unknown: "unknown",
} as const;

/** A thing as the page knows it now, and the call that changes it from there. */
interface Known<V> {
  readonly stored: Stored<V>;
  readonly send: (sent: V) => Promise<void>;
}

/** One value of a form's content. */
interface Field<V> {
  readonly of: (values: V) => string;
  readonly set: (values: V, value: string) => V;
}

/** Create a form as `useForm` wires it. @param read for a thing that the page does not follow */
function formOf<V extends object>(
  { process }: Page,
  known: () => Known<V> | null,
  field: Field<V>,
  read?: () => Promise<V>,
): Form {
  const saving = new Saving<V>(process.timers, newCommandId);
  let say: (word: FormWord) => void = () => undefined;
  let isBusy = false;
  saving.begin(({ kind }) => {
    isBusy = kind === "sending";
    const word = WORDS[kind];
    if (word !== null && process.isAlive()) say(word);
  });
  return {
    get shown() {
      const now = known();
      return now && field.of(now.stored.values);
    },
    save(value, onWord) {
      const now = known();
      // Its button is disabled while it sends.
      if (now === null || isBusy) return false;
      say = onWord;
      const { stored, send } = now;
      const sent = field.set(stored.values, value);
      void saving.save({ sent, base: stored, send: () => send(sent), read });
      return true;
    },
    look() {
      const now = saving.unknown && known();
      if (now) saving.reported(now.stored);
    },
    end: () => saving.end(),
  };
}

interface FarmName {
  readonly name: string;
}

/** The name of the account's farm (`FarmNameForm`). */
export function farmForm(page: Page): Form {
  const known = (): Known<FarmName> | null => {
    // People create further ones.
    const infos = [...page.live.store.all("farm").values()].map((farm) => farm.info);
    const [info] = infos.sort((one, other) => Number(one.id) - Number(other.id));
    if (!info) return null;
    const { id, name, version = null } = info;
    const send = (sent: FarmName) =>
      updateFarm(
        page.rest,
        id,
        version === null ? sent : { name: sent.name, ...changedFields(sent, { name }) },
        version,
      );
    return { stored: { values: { name }, version }, send };
  };
  return formOf(page, known, { of: ({ name }) => name, set: (_, name) => ({ name }) });
}

/** The name of a sensor of a farm API with versions (`useSensorEdit`). */
export function sensorForm(page: Page, id: string): Form {
  const fieldsOf = (values: SensorValues) => updateForm(id, values, { devices: true, crops: true });
  const known = (): Known<SensorValues> | null => {
    const info = page.live.store.all("sensor").get(id)?.info;
    if (!info) return null;
    const { version = null } = info;
    const values = sensorValuesOf(info);
    const send = (sent: SensorValues) => {
      const changed = changedFields(fieldsOf(sent), fieldsOf(values));
      return updateSensor(page.rest, id, { id, deviceType: sent.deviceType, ...changed }, version);
    };
    return { stored: { values, version }, send };
  };
  return formOf(page, known, { of: ({ name }) => name, set: (values, name) => ({ ...values, name }) });
}

/** Delay before a person lets a page load again what failed, ms. */
const LOAD_AGAIN_MS = 10_000;
const MINUTE_S = 60;

/** The relay's settings on a page, which loads them, and does not follow them (`useSettings`). */
class PageSettings {
  readonly #page: Page;
  /** Null until they have loaded: no form is shown. */
  read: AccountSettings | null = null;

  constructor(page: Page) {
    this.#page = page;
    this.#load();
  }

  /** Id of the account's controller; undefined while the page does not know it. */
  get controllerId(): string | undefined {
    return [...this.#page.live.store.all("controller").keys()][0];
  }

  /** Id of a channel; undefined while the page does not know it. */
  channelId(number: number): string | undefined {
    return [...this.#page.live.store.all("channel")].find(([, value]) => value.number === number)?.[0];
  }

  #load(): void {
    const again = (): void => void this.#page.process.timers.after(LOAD_AGAIN_MS, () => this.#load());
    if (this.controllerId === undefined) again();
    else this.readNow().catch(again);
  }

  async readNow(): Promise<AccountSettings> {
    this.read = await fetchSettings(this.#page.rest, new AbortController().signal);
    return this.read;
  }

  async save(change: Promise<AccountSettings>): Promise<void> {
    this.read = await change;
  }
}

const settingsOfPages = new WeakMap<Page, PageSettings>();

function settingsOf(page: Page): PageSettings {
  const settings = settingsOfPages.get(page) ?? new PageSettings(page);
  settingsOfPages.set(page, settings);
  return settings;
}

/** The longest manual opening of a controller, in the relay's settings (`UnitCapForm`). */
export function capForm(page: Page): Form {
  const settings = settingsOf(page);
  const valuesOf = (read: AccountSettings) => capValuesOf(read, settings.controllerId ?? "");
  const known = (): Known<{ readonly minutes: string }> | null => {
    const { controllerId: id, read } = settings;
    if (id === undefined || read === null) return null;
    return {
      stored: { values: valuesOf(read), version: null },
      send: ({ minutes }) => settings.save(changeRunCap(page.rest, id, Number(minutes) * MINUTE_S)),
    };
  };
  const readNow = async () => valuesOf(await settings.readNow());
  return formOf(page, known, { of: ({ minutes }) => minutes, set: (_, minutes) => ({ minutes }) }, readNow);
}

/** One setting of a valve in the form that has all of them (`ChannelSettingsForm`). */
export function valveSettingForm(page: Page, number: number, field: "name" | "minutes"): Form {
  const settings = settingsOf(page);
  const valuesOf = (read: AccountSettings) => channelValuesOf(read, settings.channelId(number) ?? "");
  const known = (): Known<ChannelValues> | null => {
    const id = settings.channelId(number);
    if (id === undefined || settings.read === null) return null;
    const values = valuesOf(settings.read);
    const send = async (sent: ChannelValues): Promise<void> => {
      const body = channelBodyOf(sent, values, HARD_CAP_MINUTES);
      if (body) await settings.save(changeChannelSettings(page.rest, id, body));
    };
    return { stored: { values, version: null }, send };
  };
  const readNow = async () => valuesOf(await settings.readNow());
  const set = (values: ChannelValues, value: string) => ({ ...values, [field]: value });
  return formOf(page, known, { of: (values) => values[field], set }, readNow);
}

/** The length of a mode's watering, without putting it in charge (`useModeForm`, extension `mode-enable`). */
export function modeForm(page: Page, number: number, mode: "period" | "reservation"): Form {
  const { live, process, rest } = page;
  let pending: ModePending | null = null;
  let say: (word: FormWord) => void = () => undefined;
  let saves = 0;
  let isBusy = false;
  const channel = () => [...live.store.all("channel")].find(([, value]) => value.number === number);
  const modes = () => channel()?.[1].modes ?? null;
  return {
    get shown() {
      return modes() && formValuesOf(mode, modes()).minutes;
    },
    save(minutes, onWord) {
      const [channelId] = channel() ?? [];
      if (
        isBusy ||
        channelId === undefined ||
        live.link.getState().screen.state !== "live" ||
        modes() === null
      )
        return false;
      const values = { ...formValuesOf(mode, modes()), minutes };
      say = onWord;
      pending = null;
      saves += 1;
      const own = saves;
      const answered = (word: FormWord): void => {
        isBusy = false;
        if (own === saves && process.isAlive()) say(word);
      };
      isBusy = true;
      say("sending");
      saveSetting(rest, channelId, settingOf(mode, values, "apart"), null).then(
        () => answered("saved"),
        (error: unknown) => {
          if (own !== saves) return;
          const isUnknown = isUnknownOutcome(error);
          if (isUnknown) pending = { kind: "save", mode, values, since: process.clock.now(), unsure: true };
          answered(isUnknown ? "unknown" : "not saved");
        },
      );
      return true;
    },
    look() {
      if (pending === null || !isDone(pending, modes())) return;
      pending = null;
      say("saved");
    },
    end() {
      saves += 1;
      pending = null;
    },
  };
}
