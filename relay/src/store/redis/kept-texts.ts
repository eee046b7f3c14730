import type { Notified } from "../store.ts";

/**
 * What an account's owner has put into Redis and would put there again, were it lost (NODE-2): few and small things,
 * beside the streams, which it has a copy of anyway.
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
