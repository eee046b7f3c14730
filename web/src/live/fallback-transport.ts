import type { Timers } from "@mulkko/shared/rules/clock";
import type { Transport, TransportConnection, TransportListener } from "./transport.ts";

/** Timeout for opening, ms: a longer attempt is blocked on the way. Slow phones need two seconds. */
export const OPEN_WITHIN_MS = 10_000;

/** Of three consecutive attempts without a message, the third uses the other transport. */
const ROUND = 3;

/**
 * Combine two transports. A transport over which a message arrived is preferred from then on. After two
 * consecutive attempts without a message the third uses the other one: a network may pass only one of them.
 *
 * @param loadOther load the other transport, which most screens never need
 */
export function createFallbackTransport(
  transport: Transport,
  loadOther: () => Promise<Transport>,
  timers: Timers,
): Transport {
  let usesOther = false;
  let mute = 0;
  return {
    open(listener) {
      const other = mute % ROUND === ROUND - 1 ? !usesOther : usesOther;
      let state: "opening" | "open" | "heard" | "over" = "opening";
      let connection: TransportConnection | null = null;
      const end = () => {
        if (state === "opening" || state === "open") mute += 1;
        state = "over";
        timeout.cancel();
      };
      const own: TransportListener = {
        opened() {
          if (state !== "opening") return;
          state = "open";
          timeout.cancel();
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
      const timeout = timers.after(OPEN_WITHIN_MS, () => {
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
      } else connection = transport.open(own);
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
