/** One durable step of an account's valves; all of it is stored, or nothing. Values are JSON objects. */
export interface ValveStep {
  /** Intents by channel key; null removes one. */
  readonly intents?: readonly { readonly channelKey: string; readonly intent: object | null }[];
  /** Command records by command id; kept 24 h from `at` (ms UTC, store time). */
  readonly commands?: readonly { readonly commandId: string; readonly at: number; readonly record: object }[];
  /** Waterings by id; kept 7 days from `at`. */
  readonly waterings?: readonly { readonly id: string; readonly at: number; readonly watering: object }[];
}

/** What of an account's valves outlives a restart. What comes back is checked by its reader's schema. */
export interface ValveStore {
  /** Store time, ms UTC (RUN-4): every time that is stored or compared. */
  now(): number;
  /** Resolves when it is on the disk. Rejects with a `StoreUnavailableError` when it could not be kept. */
  write(step: ValveStep): Promise<void>;
  intents(): Promise<{ channelKey: string; intent: unknown }[]>;
  /** The stored record of a command of this account, undefined if there is none. */
  command(commandId: string): Promise<unknown>;
  /** Records of commands given since an instant (ms UTC), oldest first, at most 1,000. */
  commandsSince(at: number): Promise<unknown[]>;
  /** Waterings since an instant (ms UTC), oldest first, at most 1,000. */
  wateringsSince(at: number): Promise<unknown[]>;
}

/** Alarms of one account, as they outlive a restart and a change of owner (ALM-*). */
export interface AlarmStore {
  /**
   * Keeps alarms by id; null removes one. `at` is when the alarm changed last, ms UTC, store time. An account keeps
   * 1,000: beyond that those that changed longest ago go, so a caller that prunes what is over loses nothing else.
   * Resolves when it is durable; rejects with a `StoreUnavailableError` when it could not be kept.
   */
  write(
    entries: readonly { readonly id: string; readonly at: number; readonly alarm: object | null }[],
  ): Promise<void>;
  /** All that is kept, the oldest change first. What comes back is checked by its reader's schema. */
  all(): Promise<{ id: string; alarm: unknown }[]>;
}

/** One JSON object of what an account has chosen: which meter counts for which valve, defaults of channels. */
export interface SettingsStore {
  /** Undefined for an account that has chosen nothing. Checked by its reader's schema. */
  get(): Promise<unknown>;
  /** Replaces the whole object; at most 64 KiB as JSON, else a `RangeError`. */
  put(settings: object): Promise<void>;
}
