import type { Account } from "@mulkko/shared/entities/account";
import { parseJson } from "@mulkko/shared/schema/parse";
import { type Static, Type } from "typebox";
import { createStore, type StoreApi } from "zustand/vanilla";
import type { RestClient } from "./client.ts";
import { ApiError } from "./errors.ts";
import type { Session } from "./session.ts";

type KeyValue = Pick<Storage, "getItem" | "setItem" | "removeItem">;

/** Session storage key: whose farm this tab shows, and to whom. */
export const READING_KEY = "readAs";

/** Local storage key: a tab has shown another account's farm, and may have been closed over it. */
const TRACES_KEY = "readAsTraces";

const Reading = Type.Object({
  /** The account that is read. */
  id: Type.String({ minLength: 1 }),
  name: Type.String(),
  /** The administrator who reads it. */
  by: Type.String({ minLength: 1 }),
});
type Reading = Static<typeof Reading>;

/** An account whose farm is to be read. */
export type ReadAccount = Pick<Reading, "id" | "name">;

/** Whose farm is shown, and to which administrator. */
export interface ReadAs {
  readonly account: ReadAccount;
  readonly by: Account;
}

/** Reading another account's farm (HS-2): for this tab alone, over its reloads, until it is left or nobody is signed in. */
export interface ReadingDesk {
  readonly store: StoreApi<ReadAccount | null>;
  /** Does nothing for anybody but an administrator. */
  begin(account: ReadAccount): void;
  leave(): void;
}

/** @param onOver called when a reading ends: nothing of the other account is kept */
export function createReadingDesk(
  session: Pick<Session, "store">,
  tab: KeyValue,
  browser: KeyValue,
  onOver: () => void,
): ReadingDesk {
  const stored = parseJson(Reading, tab.getItem(READING_KEY) ?? "");
  let kept: Reading | null = stored.ok ? stored.value : null;
  const administrator = (): string | null => {
    const now = session.store.getState();
    return now.state === "signed-in" && now.account.userType === "ADMIN" ? `${now.account.id}` : null;
  };
  /** What was kept holds for the administrator who began it. */
  const present = (): ReadAccount | null =>
    kept !== null && kept.by === administrator() ? { id: kept.id, name: kept.name } : null;
  const store = createStore<ReadAccount | null>(present);
  const over = () => {
    browser.removeItem(TRACES_KEY);
    onOver();
  };
  const leave = () => {
    const was = kept !== null;
    kept = null;
    tab.removeItem(READING_KEY);
    store.setState(null, true);
    if (was) over();
  };
  if (kept === null && browser.getItem(TRACES_KEY) !== null) over();
  session.store.subscribe(({ state }) => {
    if (kept === null || state === "starting") return;
    if (kept.by !== administrator()) leave();
    else if (store.getState() === null) store.setState(present(), true);
  });
  return {
    store,
    begin({ id, name }) {
      const by = administrator();
      if (by === null || by === id) return;
      kept = { id, name, by };
      browser.setItem(TRACES_KEY, "1");
      tab.setItem(READING_KEY, JSON.stringify(kept));
      store.setState({ id, name }, true);
    },
    leave,
  };
}

/** What a call that would write is answered with while another account's farm is read. */
export const READ_ONLY = "read-only-as";

/**
 * The calls of pages that show another account's farm: every one names the account, and none writes. The relay refuses
 * a write that names an account as well.
 */
export function createReadingClient(client: RestClient, id: string): RestClient {
  return {
    call(call) {
      if (call.method !== "GET") {
        const message = "another account's farm is read only";
        return Promise.reject(new ApiError(403, { code: READ_ONLY, message }, null));
      }
      const path = `${call.path}${call.path.includes("?") ? "&" : "?"}as=${encodeURIComponent(id)}`;
      return client.call({ ...call, path });
    },
  };
}
