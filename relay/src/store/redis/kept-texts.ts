import type { Notified } from "../store.ts";

/**
 * Texts that an account's owner has stored in Redis and would write again after a loss (NODE-2): few and
 * small, beside the streams, of which it has a copy anyway.
 */
export interface KeptTexts {
  readonly intents: Map<string, object>;
  readonly alarms: Map<string, { readonly at: number; readonly alarm: object }>;
  settings: object | undefined;
  notified: Notified | undefined;
}

export const emptyKept = (): KeptTexts => ({
  intents: new Map(),
  alarms: new Map(),
  settings: undefined,
  notified: undefined,
});
