/** One durable step of an account's valves, stored atomically. Values are JSON objects. */
export interface ValveStep {
  /** Intents by channel key; null removes one. */
  readonly intents?: readonly { readonly channelKey: string; readonly intent: object | null }[];
  /** Command records by command id; kept 24 h from `at` (ms UTC, store time). */
  readonly commands?: readonly { readonly commandId: string; readonly at: number; readonly record: object }[];
  /** Waterings by id; kept 7 days from `at`. */
  readonly waterings?: readonly { readonly id: string; readonly at: number; readonly watering: object }[];
}

/** Durable state of an account's valves. Readers validate the results with their own schema. */
export interface ValveStore {
  /** Return store time, ms UTC (RUN-4): the clock of every time that is stored or compared. */
  now(): number;
  /**
   * Resolves when the step is durable. Rejects with a `StoreUnavailableError` when it could not be stored.
   */
  write(step: ValveStep): Promise<void>;
  intents(): Promise<{ channelKey: string; intent: unknown }[]>;
  /** Return the stored record of a command of this account; undefined if there is none. */
  command(commandId: string): Promise<unknown>;
  /** Return the records of commands since a time (ms UTC), oldest first, at most 1,000. */
  commandsSince(at: number): Promise<unknown[]>;
  /** Return waterings since a time (ms UTC), oldest first, at most 1,000. */
  wateringsSince(at: number): Promise<unknown[]>;
}

/** Alarms of one account, which survive a restart and a change of owner (ALM-*). */
export interface AlarmStore {
  /**
   * Store alarms by id; null removes one. `at` is the time of the alarm's last change, ms UTC, store time.
   * An account keeps the 1,000 most recently changed alarms, so a caller that prunes finished ones loses no
   * others. Resolves when it is durable; rejects with a `StoreUnavailableError` when it could not be stored.
   */
  write(
    entries: readonly { readonly id: string; readonly at: number; readonly alarm: object | null }[],
  ): Promise<void>;
  /** Return all stored alarms, oldest change first. Readers validate the results with their own schema. */
  all(): Promise<{ id: string; alarm: unknown }[]>;
}

/** One JSON object with an account's settings: flow meters of valves, defaults of channels. */
export interface SettingsStore {
  /** Undefined for an account without settings. Readers validate the result with their own schema. */
  get(): Promise<unknown>;
  /** Replace the whole object. Throws a `RangeError` above 64 KiB of JSON. */
  put(settings: object): Promise<void>;
}
