import { parseJson } from "@mulkko/shared/schema/parse";
import { Type } from "typebox";

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
