import type { Alarm } from "@mulkko/shared/live/alarm";
import type { ErrorBody } from "@mulkko/shared/rest/errors";
import { buildAccount } from "@mulkko/shared/testing/builders";
import { act, render } from "@testing-library/react";
import type { ReactNode } from "react";
import { createMemoryRouter, RouterProvider } from "react-router-dom";
import { createStore, type StoreApi } from "zustand/vanilla";
import { startI18n } from "../i18n/index.ts";
import { LANGUAGE_KEY } from "../i18n/language.ts";
import { loadWords, type Words } from "../i18n/words.ts";
import { LiveProvider } from "../live/hooks.ts";
import { type Bench, createBench } from "../live/testing/fake-relay.ts";
import { type LiveEntry, parseValue, splitKey } from "../live/values.ts";
import { createRestClient } from "../rest/client.ts";
import { type Rest, RestContext } from "../rest/hooks.ts";
import { createReadingDesk } from "../rest/reading.ts";
import type { SessionState } from "../rest/session.ts";
import { UiProvider } from "../ui/theme/provider.tsx";
import { provideBrowserParts } from "./browser-parts.ts";

/** A call that a page has made: `PUT /path`, and what it sent. */
export interface HeardCall {
  readonly call: string;
  readonly body: unknown;
}

/** What the servers say to a call, at once or later: a status, or what comes with a 200; undefined is a 404. */
export type Answer = (call: string) => unknown;

/** Who is signed in, and what a login does. */
export interface FakeSession {
  readonly store: StoreApi<SessionState>;
  /** Throws what it wants to refuse with. */
  login(username: string, password: string): Promise<void>;
}

/** A server's no. */
export const refusal = (status: number, code: string, rest: Partial<ErrorBody> = {}): Response =>
  new Response(JSON.stringify({ status, error: "", code, message: code, ...rest } satisfies ErrorBody), {
    status,
  });

/** A page before somebody who is signed in, with servers and live stream in the test's hand. */
export interface PageBench {
  readonly session: FakeSession;
  readonly heard: readonly HeardCall[];
  answer: Answer;
  /** What the page's live client stands on: relay, clock and timers. */
  readonly live: Bench;
  /** The live stream brings alarms as they are now. */
  putAlarms(...alarms: readonly Alarm[]): void;
  removeAlarm(id: string): void;
  /** The live stream brings these keys' values. @throws where one does not fit its schema */
  put(values: Readonly<Record<string, unknown>>): void;
  /** The live stream takes a key away. */
  remove(key: string): void;
  /** The connection goes on: before, the page is `starting`. */
  link(state: "live" | "reconnecting" | "notLive"): void;
  show(page: ReactNode, address?: string): void;
  path(): string;
  /** How the page came to this address. */
  cameBy(): "POP" | "PUSH" | "REPLACE";
}

function entryOf([key, raw]: [string, unknown]): LiveEntry {
  const part = splitKey(key);
  const entry = part && parseValue(part.kind, part.id, raw);
  if (!entry) throw new Error(`${key} does not fit its schema`);
  return entry;
}

/** Speaks Korean, and has the words of these pages. */
export async function createPageBench(words: readonly Words[]): Promise<PageBench> {
  provideBrowserParts();
  localStorage.setItem(LANGUAGE_KEY, "ko");
  await startI18n();
  await loadWords(words);
  const live = createBench();
  const { client, tokens } = live;
  const heard: HeardCall[] = [];
  const account = buildAccount({ nickname: "김선우" });
  const state: SessionState = { state: "signed-in", account, accessToken: "token" };
  const none = () => Promise.resolve();
  const session: FakeSession = { store: createStore<SessionState>(() => state), login: none };
  const rest: Rest = {
    reading: createReadingDesk(session, sessionStorage, localStorage, () => undefined),
    session: {
      store: session.store,
      accessToken: () => "token",
      refresh: () => Promise.resolve(null),
      onToken: () => () => undefined,
      start: none,
      login: (username, password) => session.login(username, password),
      logout: none,
      reloadAccount: none,
    },
    client: createRestClient(
      { accessToken: () => "token", refresh: () => Promise.resolve(null) },
      async (path, { method = "GET", body }) => {
        const call = `${method} ${path}`;
        heard.push({ call, body: typeof body === "string" ? JSON.parse(body) : String(body ?? "") });
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
    heard,
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
          <RestContext value={rest}>
            <LiveProvider tokens={tokens} client={client}>
              <RouterProvider router={router} />
            </LiveProvider>
          </RestContext>
        </UiProvider>,
      );
    },
    path: () => path(),
    cameBy: () => cameBy(),
  };
  return bench;
}
