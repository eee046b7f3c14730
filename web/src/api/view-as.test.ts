import { buildAccount } from "@mulkko/shared/testing/builders";
import { Type } from "typebox";
import { describe, expect, it } from "vitest";
import { createStore } from "zustand/vanilla";
import type { RestClient } from "./client.ts";
import type { Call } from "./http.ts";
import type { SessionState } from "./session.ts";
import { createReadingClient, createViewAsService, READ_ONLY, READING_KEY } from "./view-as.ts";

class MemoryStorage {
  readonly items = new Map<string, string>();
  getItem = (key: string) => this.items.get(key) ?? null;
  setItem = (key: string, value: string) => void this.items.set(key, value);
  removeItem = (key: string) => void this.items.delete(key);
}

const signedIn = (id: string, userType: "ADMIN" | "USER" = "ADMIN"): SessionState => ({
  state: "signed-in",
  account: buildAccount({ id, userType }),
  accessToken: "t",
});
const FARM = { id: "farmer", name: "Kim" };

/** Create a browser tab; `reload` reloads it. */
function createTab(first: SessionState, browser = new MemoryStorage()) {
  const tab = new MemoryStorage();
  let forgotten = 0;
  const open = (state: SessionState) => {
    const session = { store: createStore<SessionState>(() => state) };
    const service = createViewAsService(session, tab, browser, () => {
      forgotten += 1;
    });
    return { session, service };
  };
  return { tab, browser, forgotten: () => forgotten, reload: open, ...open(first) };
}

describe("viewing as another account", () => {
  it("[HS-2] lets an administrator begin and leave without a trace", () => {
    const { service, tab, browser, forgotten } = createTab(signedIn("root"));
    expect(service.store.getState()).toBeNull();
    service.begin(FARM);
    expect(service.store.getState()).toEqual(FARM);
    service.leave();
    expect([service.store.getState(), tab.items.size, browser.items.size, forgotten()]).toEqual([
      null,
      0,
      0,
      1,
    ]);
  });

  it("[HS-2] is refused for other users and for the own account", () => {
    const farmer = createTab(signedIn("farmer", "USER"));
    farmer.service.begin({ id: "neighbor", name: "Lee" });
    const root = createTab(signedIn("root"));
    root.service.begin({ id: "root", name: "Root" });
    expect([farmer.service.store.getState(), root.service.store.getState()]).toEqual([null, null]);
  });

  it("[HS-2] survives a reload, once the session is known", () => {
    const { service, reload } = createTab(signedIn("root"));
    service.begin(FARM);
    const again = reload({ state: "starting", unreachable: false });
    expect(again.service.store.getState()).toBeNull();
    again.session.store.setState(signedIn("root"), true);
    expect(again.service.store.getState()).toEqual(FARM);
  });

  it("[HS-2] ends on sign-out and on another user or role in this tab", () => {
    const ends: SessionState[] = [
      { state: "signed-out", reason: "left" },
      { state: "signed-out", reason: "expired" },
      signedIn("other"),
      signedIn("root", "USER"),
    ];
    for (const end of ends) {
      const { service, session, tab, forgotten } = createTab(signedIn("root"));
      service.begin(FARM);
      session.store.setState(end, true);
      expect([service.store.getState(), tab.getItem(READING_KEY), forgotten()], end.state).toEqual([
        null,
        null,
        1,
      ]);
    }
  });

  it("[HS-2] drops the state that a closed tab left", () => {
    const closed = createTab(signedIn("root"));
    closed.service.begin(FARM);
    const next = createTab(signedIn("root"), closed.browser);
    expect([next.service.store.getState(), next.forgotten(), next.browser.items.size]).toEqual([null, 1, 0]);
  });

  it("[HS-2] names the account in every read, also in one with a query", async () => {
    const paths: string[] = [];
    const rest: RestClient = {
      call(call) {
        paths.push(call.path);
        return Promise.resolve(null as never);
      },
    };
    const client = createReadingClient(rest, "f 1");
    await client.call({ method: "GET", path: "/relay/settings", answer: Type.Unknown() });
    await client.call({ method: "GET", path: "/relay/alarms?past=true", answer: Type.Unknown() });
    expect(paths).toEqual(["/relay/settings?as=f%201", "/relay/alarms?past=true&as=f%201"]);
  });

  it("[HS-2] refuses every write without a request", async () => {
    const calls: Call<never>[] = [];
    const rest: RestClient = {
      call(call) {
        calls.push(call as never);
        return Promise.resolve(null as never);
      },
    };
    const client = createReadingClient(rest, "farmer");
    for (const method of ["POST", "PUT", "DELETE"] as const) {
      await expect(client.call({ method, path: "/x", answer: Type.Unknown() })).rejects.toMatchObject({
        code: READ_ONLY,
      });
    }
    expect(calls).toEqual([]);
  });
});
