import { isUnknownOutcome } from "../../../web/src/api/errors.ts";
import { updateFarm } from "../../../web/src/api/farms.ts";
import { changedFields } from "../../../web/src/api/http.ts";
import { saveSetting } from "../../../web/src/api/modes.ts";
import { updateSensor } from "../../../web/src/api/sensors.ts";
import { changeRunCap, fetchSettings } from "../../../web/src/api/settings.ts";
import {
  type SensorValues,
  sensorValuesOf,
  updateForm,
} from "../../../web/src/domain/device/sensor-values.ts";
import { Saving, type Stored } from "../../../web/src/domain/form/saving.ts";
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
  const saving = new Saving<V>(process.timers);
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
    const [info] = [...page.live.store.all("farm").values()].map((farm) => farm.info);
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

interface Cap {
  readonly minutes: string;
}

const MINUTE_S = 60;
/** Delay before a person lets a page load again what failed, ms. */
const LOAD_AGAIN_MS = 10_000;

/** The longest manual opening of a controller, in the relay's settings (`UnitCapForm`). */
export function capForm(page: Page): Form {
  /** Last read of the page; null: none yet, and the form is not shown. */
  let read: Cap | null = null;
  const controllerId = (): string | undefined => [...page.live.store.all("controller").keys()][0];
  const capIn = (settings: Awaited<ReturnType<typeof fetchSettings>>): Cap => {
    const seconds = settings.controllers[controllerId() ?? ""]?.maxRunSeconds;
    return { minutes: seconds === undefined ? "" : `${Math.floor(seconds / MINUTE_S)}` };
  };
  const readNow = async (): Promise<Cap> => {
    const now = capIn(await fetchSettings(page.rest, new AbortController().signal));
    read = now;
    return now;
  };
  const load = (): void => {
    if (controllerId() === undefined) page.process.timers.after(LOAD_AGAIN_MS, load);
    else void readNow().catch(() => page.process.timers.after(LOAD_AGAIN_MS, load));
  };
  load();
  const known = (): Known<Cap> | null => {
    const id = controllerId();
    if (id === undefined || read === null) return null;
    const send = async ({ minutes }: Cap): Promise<void> => {
      read = capIn(await changeRunCap(page.rest, id, Number(minutes) * MINUTE_S));
    };
    return { stored: { values: read, version: null }, send };
  };
  return formOf(page, known, { of: ({ minutes }) => minutes, set: (_, minutes) => ({ minutes }) }, readNow);
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
