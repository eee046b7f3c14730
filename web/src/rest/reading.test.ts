import { buildAccount } from "@mulkko/shared/testing/builders";
import { Type } from "typebox";
import { describe, expect, it } from "vitest";
import { createStore } from "zustand/vanilla";
import type { RestClient } from "./client.ts";
import type { Call } from "./http.ts";
import { createReadingClient, createReadingDesk, READ_ONLY, READING_KEY } from "./reading.ts";
import type { SessionState } from "./session.ts";

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

/** A tab of a browser; `reload` is the same tab anew. */
function createTab(first: SessionState, browser = new MemoryStorage()) {
  const tab = new MemoryStorage();
  let forgotten = 0;
  const open = (state: SessionState) => {
    const session = { store: createStore<SessionState>(() => state) };
    const desk = createReadingDesk(session, tab, browser, () => {
      forgotten += 1;
    });
    return { session, desk };
  };
  return { tab, browser, forgotten: () => forgotten, reload: open, ...open(first) };
}

describe("reading as another account", () => {
  it("[HS-2] an administrator begins and leaves; nothing is left of it", () => {
    const { desk, tab, browser, forgotten } = createTab(signedIn("root"));
    expect(desk.store.getState()).toBeNull();
    desk.begin(FARM);
    expect(desk.store.getState()).toEqual(FARM);
    desk.leave();
    expect([desk.store.getState(), tab.items.size, browser.items.size, forgotten()]).toEqual([null, 0, 0, 1]);
  });

  it("[HS-2] nobody else begins, nor does anybody read themselves", () => {
    const farmer = createTab(signedIn("farmer", "USER"));
    farmer.desk.begin({ id: "neighbor", name: "Lee" });
    const root = createTab(signedIn("root"));
    root.desk.begin({ id: "root", name: "Root" });
    expect([farmer.desk.store.getState(), root.desk.store.getState()]).toEqual([null, null]);
  });

  it("[HS-2] a reload keeps it, as soon as it is known who is signed in", () => {
    const { desk, reload } = createTab(signedIn("root"));
    desk.begin(FARM);
    const again = reload({ state: "starting", unreachable: false });
    expect(again.desk.store.getState()).toBeNull();
    again.session.store.setState(signedIn("root"), true);
    expect(again.desk.store.getState()).toEqual(FARM);
  });

  it("[HS-2] signing out ends it, and so does another person or role in this tab", () => {
    const ends: SessionState[] = [
      { state: "signed-out", reason: "left" },
      { state: "signed-out", reason: "expired" },
      signedIn("other"),
      signedIn("root", "USER"),
    ];
    for (const end of ends) {
      const { desk, session, tab, forgotten } = createTab(signedIn("root"));
      desk.begin(FARM);
      session.store.setState(end, true);
      expect([desk.store.getState(), tab.getItem(READING_KEY), forgotten()], end.state).toEqual([
        null,
        null,
        1,
      ]);
    }
  });

  it("[HS-2] what a closed tab has left is dropped by the next one", () => {
    const closed = createTab(signedIn("root"));
    closed.desk.begin(FARM);
    const next = createTab(signedIn("root"), closed.browser);
    expect([next.desk.store.getState(), next.forgotten(), next.browser.items.size]).toEqual([null, 1, 0]);
  });

  it("[HS-2] every read names the account, also one that asks for something already", async () => {
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

  it("[HS-2] nothing is written, and nobody is asked to", async () => {
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
