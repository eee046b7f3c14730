import { useState } from "react";
import { isValveOpen, type OverValve } from "../../api/closing-first.ts";

/**
 * Send a call that closes valves first. After a refusal because a valve is not reported closed, the next
 * attempt insists (CMD-15): the form names the risk meanwhile.
 */
export function useInsist() {
  const [isRefused, setIsRefused] = useState(false);
  return {
    /** True while the next attempt is sent despite an open valve. */
    isRefused,
    async send(call: (over: OverValve) => Promise<void>): Promise<void> {
      try {
        await call({ despiteOpenValve: isRefused });
        setIsRefused(false);
      } catch (error) {
        setIsRefused(isValveOpen(error));
        throw error;
      }
    },
  };
}
