import type { Display, OwnDisplay } from "@mulkko/shared/rest/displays";
import type { Random } from "@mulkko/shared/rules/clock";
import { createStore, type StoreApi } from "zustand/vanilla";
import { reconnectDelay } from "../../live/backoff.ts";
import type { Timers } from "../../live/timers.ts";
import { ApiError } from "../../rest/errors.ts";

/** How often a screen asks what it is to show: somebody may have chosen otherwise, ms. */
export const SETTINGS_EVERY_MS = 60_000;

/** What a screen is to itself. It has no account and never a login page. */
export type DisplayState =
  /** It has a token, and nobody has said yet what it is to show. */
  | { readonly at: "starting"; readonly unreachable: boolean }
  | { readonly at: "unpaired" }
  | {
      readonly at: "showing";
      readonly display: Display;
      readonly zone: string | null;
      readonly token: string;
    }
  /** Somebody has taken its token back. */
  | { readonly at: "revoked" }
  /** Its account is suspended: it shows nothing until that is over, and goes on by itself then. */
  | { readonly at: "suspended" };

export interface DisplaySessionDeps {
  /** Where the token outlives the page. */
  readonly storage: { read(): string | null; write(token: string): void; clear(): void };
  /** What a token is to show. @throws ApiError refused · another error: nobody answers */
  readonly askDisplay: (token: string) => Promise<OwnDisplay>;
  readonly timers: Timers;
  readonly random: Random;
}

/** The screen's own sign-in: one token, from being paired until somebody takes it back. */
export interface DisplaySession {
  readonly store: StoreApi<DisplayState>;
  /** @returns stops */
  start(): () => void;
  paired(token: string, display: Display): void;
  /** Asks at once. The token where it still serves, null where it was taken back; rejects when nobody answers. */
  prove(): Promise<string | null>;
  /** Somebody before the screen wants it paired anew. */
  forget(): void;
}

/** Only these say that the token is none any more; whatever else goes wrong is worth another try. */
const isRefusal = (error: unknown): boolean =>
  error instanceof ApiError && (error.status === 401 || error.status === 403);

const isSuspension = (error: unknown): boolean =>
  error instanceof ApiError && error.code === "account-disabled";

export function createDisplaySession({
  storage,
  askDisplay,
  timers,
  random,
}: DisplaySessionDeps): DisplaySession {
  const store = createStore<DisplayState>(() => ({ at: "starting", unreachable: false }));
  let running = false;
  let failures = 0;
  let cancel: () => void = () => undefined;

  const prove = async (): Promise<string | null> => {
    const token = storage.read();
    if (token === null) return null;
    try {
      const { display, zone } = await askDisplay(token);
      if (storage.read() !== token) return null;
      const before = store.getState();
      const isSame =
        before.at === "showing" &&
        before.zone === zone &&
        JSON.stringify(before.display.settings) === JSON.stringify(display.settings);
      if (!isSame) store.setState({ at: "showing", display, zone, token }, true);
      return token;
    } catch (error) {
      if (!isRefusal(error)) throw error;
      const at = isSuspension(error) ? "suspended" : "revoked";
      if (storage.read() === token) store.setState({ at }, true);
      return null;
    }
  };
  /** For ever: settings change, and a token that was refused by mistake serves again some day. */
  const look = async (): Promise<void> => {
    let wait = SETTINGS_EVERY_MS;
    try {
      await prove();
      failures = 0;
    } catch {
      const { at } = store.getState();
      if (at === "starting") {
        store.setState({ at: "starting", unreachable: true }, true);
        wait = reconnectDelay(failures, random);
        failures += 1;
      }
    }
    if (running) cancel = timers.after(wait, () => void look());
  };

  return {
    store,
    prove,
    start() {
      running = true;
      store.setState(
        storage.read() === null ? { at: "unpaired" } : { at: "starting", unreachable: false },
        true,
      );
      void look();
      return () => {
        running = false;
        cancel();
      };
    },
    paired(token, display) {
      storage.write(token);
      store.setState({ at: "showing", display, zone: null, token }, true);
      void prove().catch(() => undefined);
    },
    forget() {
      storage.clear();
      store.setState({ at: "unpaired" }, true);
    },
  };
}
