import type { Account } from "@mulkko/shared/entities/account";
import { parseJson } from "@mulkko/shared/schema/parse";
import { type Static, Type } from "typebox";
import { createStore, type StoreApi } from "zustand/vanilla";
import type { RestClient } from "./client.ts";
import { ApiError } from "./errors.ts";
import type { Session } from "./session.ts";

type KeyValue = Pick<Storage, "getItem" | "setItem" | "removeItem">;

/** Session storage key: the account whose farm this tab shows, and its administrator. */
export const READING_KEY = "readAs";

/** Local storage key: a tab has shown another account's farm and may have been closed meanwhile. */
const TRACES_KEY = "readAsTraces";

const Reading = Type.Object({
  /** The viewed account. */
  id: Type.String({ minLength: 1 }),
  name: Type.String(),
  /** The administrator who views it. */
  by: Type.String({ minLength: 1 }),
});
type Reading = Static<typeof Reading>;

/** An account whose farm is viewed. */
export type ReadAccount = Pick<Reading, "id" | "name">;

/** The viewed account and its administrator. */
export interface ReadAs {
  readonly account: ReadAccount;
  readonly by: Account;
}

/** Viewing of another account's farm (HS-2): for this tab only, across reloads, until left or signed out. */
export interface ViewAsService {
  readonly store: StoreApi<ReadAccount | null>;
  /** Start viewing; does nothing for a user who is not an administrator. */
  begin(account: ReadAccount): void;
  leave(): void;
}

/** @param onOver called when viewing ends: delete the other account's data */
export function createViewAsService(
  session: Pick<Session, "store">,
  tab: KeyValue,
  browser: KeyValue,
  onOver: () => void,
): ViewAsService {
  const stored = parseJson(Reading, tab.getItem(READING_KEY) ?? "");
  let viewed: Reading | null = stored.ok ? stored.value : null;
  const administrator = (): string | null => {
    const now = session.store.getState();
    return now.state === "signed-in" && now.account.userType === "ADMIN" ? `${now.account.id}` : null;
  };
  /** The stored state is valid only for the administrator who started it. */
  const present = (): ReadAccount | null =>
    viewed !== null && viewed.by === administrator() ? { id: viewed.id, name: viewed.name } : null;
  const store = createStore<ReadAccount | null>(present);
  const over = () => {
    browser.removeItem(TRACES_KEY);
    onOver();
  };
  const leave = () => {
    const was = viewed !== null;
    viewed = null;
    tab.removeItem(READING_KEY);
    store.setState(null, true);
    if (was) over();
  };
  if (viewed === null && browser.getItem(TRACES_KEY) !== null) over();
  session.store.subscribe(({ state }) => {
    if (viewed === null || state === "starting") return;
    if (viewed.by !== administrator()) leave();
    else if (store.getState() === null) store.setState(present(), true);
  });
  return {
    store,
    begin({ id, name }) {
      const by = administrator();
      if (by === null || by === id) return;
      viewed = { id, name, by };
      browser.setItem(TRACES_KEY, "1");
      tab.setItem(READING_KEY, JSON.stringify(viewed));
      store.setState({ id, name }, true);
    },
    leave,
  };
}

/** Error code of a write while another account's farm is viewed. */
export const READ_ONLY = "read-only-as";

/**
 * Create the client of pages that show another account's farm: every call names the account, and none writes.
 * The relay also refuses a write that names an account.
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
