import type { Door, DoorConnection, DoorListener } from "./door.ts";
import type { Timers } from "./timers.ts";

/** An attempt that has not opened after this long, ms, hangs in something between: slow phones need two seconds. */
export const OPEN_WITHIN_MS = 10_000;

/** Of three attempts in a row at which nothing was heard, the third is made at the other door. */
const ROUND = 3;

/**
 * Two doors as one. A door at which the relay was heard is tried first from then on; after two attempts in a row
 * without a word the third goes through the other door, so that something between that lets only one of them through
 * does not keep this screen dark.
 *
 * @param loadOther brings the other door, which most screens never need
 */
export function createFallbackDoor(door: Door, loadOther: () => Promise<Door>, timers: Timers): Door {
  let usesOther = false;
  let mute = 0;
  return {
    open(listener) {
      const other = mute % ROUND === ROUND - 1 ? !usesOther : usesOther;
      let state: "opening" | "open" | "heard" | "over" = "opening";
      let connection: DoorConnection | null = null;
      const end = () => {
        if (state === "opening" || state === "open") mute += 1;
        state = "over";
        cancelTimeout();
      };
      const own: DoorListener = {
        opened() {
          if (state !== "opening") return;
          state = "open";
          cancelTimeout();
          listener.opened();
        },
        message(raw) {
          if (state === "over") return;
          if (state !== "heard") {
            state = "heard";
            mute = 0;
            usesOther = other;
          }
          listener.message(raw);
        },
        closed() {
          if (state === "over") return;
          end();
          listener.closed();
        },
      };
      const cancelTimeout = timers.after(OPEN_WITHIN_MS, () => {
        connection?.close();
        own.closed();
      });
      if (other) {
        loadOther().then(
          (loaded) => {
            if (state === "opening") connection = loaded.open(own);
          },
          () => own.closed(),
        );
      } else connection = door.open(own);
      return {
        send: (message) => connection?.send(message),
        close() {
          if (state === "over") return;
          end();
          connection?.close();
        },
      };
    },
  };
}
