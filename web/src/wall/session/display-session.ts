import type { Display, OwnDisplay } from "@mulkko/shared/rest/displays";
import type { Random, Timer, Timers } from "@mulkko/shared/rules/clock";
import { parseJson } from "@mulkko/shared/schema/parse";
import { Type } from "typebox";
import { createStore } from "zustand/vanilla";
import { ApiError } from "../../api/errors.ts";
import { reconnectDelay } from "../../live/connection.ts";

/** Local storage key of the screen's own token. */
export const DISPLAY_KEY = "mulkko.display";

const Kept = Type.Object({ token: Type.String({ minLength: 1 }) });

/**
 * Store the token in this browser. If the browser stores nothing (private window), it lives as long as the
 * page.
 */
export function createDisplayStorage(storage: Pick<Storage, "getItem" | "setItem" | "removeItem">) {
  let here: string | null = null;
  const kept = (): string | null => {
    try {
      const parsed = parseJson(Kept, storage.getItem(DISPLAY_KEY) ?? "");
      return parsed.ok ? parsed.value.token : null;
    } catch {
      return null;
    }
  };
  return {
    read: () => here ?? kept(),
    write(token: string) {
      here = token;
      try {
        storage.setItem(DISPLAY_KEY, JSON.stringify({ token }));
      } catch {
        // The screen still shows its farm; after a power cut it must be paired again.
      }
    },
    clear() {
      here = null;
      try {
        storage.removeItem(DISPLAY_KEY);
      } catch {
        // Not stored: nothing to remove.
      }
    },
  };
}

/** Polling interval of a screen's settings, ms. */
export const SETTINGS_EVERY_MS = 60_000;

/** State of a screen. It has no account and never a login page. */
export type DisplayState =
  /** It has a token; its settings are not known yet. */
  | { readonly at: "starting"; readonly unreachable: boolean }
  | { readonly at: "unpaired" }
  | {
      readonly at: "showing";
      readonly display: Display;
      readonly zone: string | null;
      readonly token: string;
    }
  /** Its token was revoked. */
  | { readonly at: "revoked" }
  /** Its account is suspended: it shows nothing and recovers by itself when the suspension ends. */
  | { readonly at: "suspended" };

/** A screen's own sign-in: one token, from pairing until it is revoked. */
export type DisplaySession = ReturnType<typeof createDisplaySession>;

/** Only these mean that the token is invalid; every other failure is retried. */
const isRefusal = (error: unknown): boolean =>
  error instanceof ApiError && (error.status === 401 || error.status === 403);

const isSuspension = (error: unknown): boolean =>
  error instanceof ApiError && error.code === "account-disabled";

export function createDisplaySession(deps: {
  /** Storage in which the token outlives the page. */
  readonly storage: ReturnType<typeof createDisplayStorage>;
  /** Fetch the settings of a token. @throws ApiError if refused; another error without an answer */
  readonly askDisplay: (token: string) => Promise<OwnDisplay>;
  readonly timers: Timers;
  readonly random: Random;
}) {
  const { storage, askDisplay, timers, random } = deps;
  const store = createStore<DisplayState>(() => ({ at: "starting", unreachable: false }));
  let running = false;
  let failures = 0;
  let timer: Timer | undefined;

  /** Check the token at once. Returns it if valid, null if revoked; rejects without an answer. */
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
  /** Poll forever: settings change, and a token refused by mistake becomes valid again. */
  const check = async (): Promise<void> => {
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
    if (running) timer = timers.after(wait, () => void check());
  };

  return {
    store,
    prove,
    /** @returns a function that stops */
    start() {
      running = true;
      store.setState(
        storage.read() === null ? { at: "unpaired" } : { at: "starting", unreachable: false },
        true,
      );
      void check();
      return () => {
        running = false;
        timer?.cancel();
      };
    },
    paired(token: string, display: Display) {
      storage.write(token);
      store.setState({ at: "showing", display, zone: null, token }, true);
      void prove().catch(() => undefined);
    },
    /** Discard the token on the user's request to pair again. */
    forget() {
      storage.clear();
      store.setState({ at: "unpaired" }, true);
    },
  };
}
