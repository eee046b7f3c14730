import type { Alarm } from "@mulkko/shared/live/alarm";
import type { ErrorBody } from "@mulkko/shared/rest/errors";
import { DESPITE_OPEN_VALVE } from "@mulkko/shared/rest/routes";
import { buildAccount } from "@mulkko/shared/testing/builders";
import { act, render } from "@testing-library/react";
import type { ReactNode } from "react";
import { createMemoryRouter, RouterProvider } from "react-router-dom";
import { createStore, type StoreApi } from "zustand/vanilla";
import { createRestClient } from "../api/client.ts";
import type { Rest } from "../api/hooks.ts";
import { RestProvider } from "../api/queries.tsx";
import type { SessionState } from "../api/session.ts";
import { createViewAsService } from "../api/view-as.ts";
import { UiProvider } from "../components/provider.tsx";
import { LANGUAGE_KEY } from "../i18n/language.ts";
import { startTranslations } from "../i18n/translations.ts";
import { LiveProvider } from "../live/hooks.ts";
import { type LiveEntry, parseValue, splitKey } from "../live/store.ts";
import { type Bench, createBench } from "../live/testing/fake-relay.ts";
import { provideBrowserParts } from "./browser-parts.ts";

/** A call of the page: `PUT /path` and its body. */
export interface RecordedCall {
  readonly call: string;
  readonly body: unknown;
}

/** Answer of the servers to a call, at once or later: a status, or a body with 200; undefined is a 404. */
export type Answer = (call: string) => unknown;

/** The signed-in account, and the result of a login. */
export interface FakeSession {
  readonly store: StoreApi<SessionState>;
  /** Throws the refusal. */
  login(username: string, password: string): Promise<void>;
  /** Does nothing by default; throws the refusal. */
  logout(how: "at-once" | "after-closing" | "despite-open-valve"): Promise<void>;
  /** Does nothing by default. */
  reloadAccount(): Promise<void>;
}

/** Return a server's error answer. */
export const refusal = (status: number, code: string, rest: Partial<ErrorBody> = {}): Response =>
  new Response(JSON.stringify({ status, error: "", code, message: code, ...rest } satisfies ErrorBody), {
    status,
  });

/** A page with a signed-in user, with servers and live stream controlled by the test. */
export interface PageBench {
  readonly session: FakeSession;
  readonly requests: readonly RecordedCall[];
  /** `If-Match` of each call; null for one without. */
  readonly versions: readonly (string | null)[];
  /** `x-despite-open-valve` of each call; null for one without. */
  readonly insisted: readonly (string | null)[];
  answer: Answer;
  /** Base of the page's live client: relay, clock and timers. */
  readonly live: Bench;
  /** Send the current alarms over the live stream. */
  putAlarms(...alarms: readonly Alarm[]): void;
  removeAlarm(id: string): void;
  /** Send the values of these keys over the live stream. @throws if one does not match its schema */
  put(values: Readonly<Record<string, unknown>>): void;
  /** Delete a key over the live stream. */
  remove(key: string): void;
  /** Set the link's state; before that the page is `starting`. */
  link(state: "live" | "reconnecting" | "notLive"): void;
  show(page: ReactNode, address?: string): void;
  path(): string;
  /** Return the type of navigation to this address. */
  cameBy(): "POP" | "PUSH" | "REPLACE";
}

function entryOf([key, raw]: [string, unknown]): LiveEntry {
  const part = splitKey(key);
  const entry = part && parseValue(part.kind, part.id, raw);
  if (!entry) throw new Error(`${key} does not fit its schema`);
  return entry;
}

/** Create the bench in Korean. */
export async function createPageBench(): Promise<PageBench> {
  provideBrowserParts();
  localStorage.setItem(LANGUAGE_KEY, "ko");
  await startTranslations(["app", "admin"]);
  const live = createBench();
  const { client, tokens } = live;
  const requests: RecordedCall[] = [];
  const versions: (string | null)[] = [];
  const insisted: (string | null)[] = [];
  const account = buildAccount({ nickname: "김선우" });
  const state: SessionState = { state: "signed-in", account, accessToken: "token" };
  const none = () => Promise.resolve();
  const session: FakeSession = {
    store: createStore<SessionState>(() => state),
    login: none,
    logout: none,
    reloadAccount: none,
  };
  const rest: Rest = {
    reading: createViewAsService(session, sessionStorage, localStorage, () => undefined),
    session: {
      store: session.store,
      accessToken: () => "token",
      refresh: () => Promise.resolve(null),
      onToken: () => () => undefined,
      start: none,
      login: (username, password) => session.login(username, password),
      logout: () => session.logout("at-once"),
      logoutAfterClosing: () => session.logout("after-closing"),
      logoutDespiteOpenValve: () => session.logout("despite-open-valve"),
      reloadAccount: () => session.reloadAccount(),
    },
    client: createRestClient(
      { accessToken: () => "token", refresh: () => Promise.resolve(null) },
      async (path, { method = "GET", body, headers }) => {
        const call = `${method} ${path}`;
        requests.push({ call, body: typeof body === "string" ? JSON.parse(body) : String(body ?? "") });
        insisted.push(new Headers(headers).get(DESPITE_OPEN_VALVE));
        versions.push(new Headers(headers).get("if-match"));
        const answer = await bench.answer(call);
        if (answer instanceof Response) return answer;
        if (answer === undefined) return new Response("", { status: 404 });
        return new Response(JSON.stringify(answer));
      },
    ),
  };
  let path = () => "";
  let cameBy = (): ReturnType<PageBench["cameBy"]> => "POP";
  const bench: PageBench = {
    session,
    requests,
    versions,
    insisted,
    answer: () => undefined,
    live,
    putAlarms: (...alarms) =>
      act(() =>
        client.store.apply({
          put: alarms.map((value) => ({ kind: "alarm" as const, id: value.id, value })),
          remove: [],
        }),
      ),
    put: (values) => act(() => client.store.apply({ put: Object.entries(values).map(entryOf), remove: [] })),
    remove: (key) => act(() => client.store.apply({ put: [], remove: [key] })),
    link: (state) =>
      act(() =>
        client.link.setState(({ everSynced }) => ({
          screen: { state },
          everSynced: everSynced || state === "live",
        })),
      ),
    removeAlarm: (id) => act(() => client.store.apply({ put: [], remove: [`alarm:${id}`] })),
    show(page, address = "/") {
      const router = createMemoryRouter([{ path: "*", element: page }], { initialEntries: [address] });
      cameBy = () => router.state.historyAction;
      path = () => `${router.state.location.pathname}${router.state.location.search}`;
      render(
        <UiProvider>
          <RestProvider rest={rest}>
            <LiveProvider tokens={tokens} client={client}>
              <RouterProvider router={router} />
            </LiveProvider>
          </RestProvider>
        </UiProvider>,
      );
    },
    path: () => path(),
    cameBy: () => cameBy(),
  };
  return bench;
}
