import type { LiveEvent } from "@mulkko/shared/live/events";
import {
  type Believable,
  type DrawnQuality,
  drawnQuality,
  type Quality,
  worseQuality,
} from "@mulkko/shared/rules/quality";
import {
  createContext,
  createElement,
  type ReactNode,
  useCallback,
  useContext,
  useEffect,
  useRef,
  useState,
  useSyncExternalStore,
} from "react";
import { useStore } from "zustand";
import type { LiveTokens } from "./connection.ts";
import type { LoggedEvent } from "./event-log.ts";
import { type LinkState, linkQuality } from "./link.ts";
import { createLiveClient, type LiveClient } from "./live-client.ts";
import type { CaughtUp } from "./state-stream.ts";
import type { LiveStore } from "./store.ts";
import type { LiveKind, LiveTopic, LiveValues } from "./values.ts";

const LiveContext = createContext<LiveClient | null>(null);

/**
 * Connects the page for one account. Give it the account's id as `key`: another account is another copy of
 * everything.
 */
export function LiveProvider(props: { tokens: LiveTokens; client?: LiveClient; children: ReactNode }) {
  const [client] = useState(() => props.client ?? createLiveClient(props.tokens));
  useEffect(() => client.start(), [client]);
  return createElement(LiveContext, { value: client }, props.children);
}

/** The whole client, for what reads streams of its own over it. */
export function useLiveClient(): LiveClient {
  const client = useContext(LiveContext);
  if (!client) throw new Error("live hooks need a LiveProvider around them");
  return client;
}

/** One value, followed; undefined while there is none. */
export function useLive<K extends LiveKind>(kind: K, id: string | number): LiveValues[K] | undefined {
  const { store } = useLiveClient();
  const subscribe = useCallback(
    (listener: () => void) => store.subscribe(`${kind}:${id}`, listener),
    [store, kind, id],
  );
  return useSyncExternalStore(subscribe, () => store.get(kind, `${id}`));
}

/**
 * A part of one value, followed: a number, its info, its quality. The component is drawn again only when the part
 * itself differs.
 *
 * @param select stays the same function, and gives the same object for the same value
 */
export function useLivePart<K extends LiveKind, T>(
  kind: K,
  id: string | number,
  select: (value: LiveValues[K] | undefined) => T,
): T {
  const { store } = useLiveClient();
  const subscribe = useCallback(
    (listener: () => void) => store.subscribe(`${kind}:${id}`, listener),
    [store, kind, id],
  );
  return useSyncExternalStore(subscribe, () => select(store.get(kind, `${id}`)));
}

/** The ids of a kind; changes only when one comes or goes. */
export function useLiveIds(kind: LiveKind): readonly string[] {
  const { store } = useLiveClient();
  const subscribe = useCallback((listener: () => void) => store.subscribe(kind, listener), [store, kind]);
  return useSyncExternalStore(subscribe, () => store.ids(kind));
}

/** All maps at once, for {@link useLiveSelection}. */
export interface LiveFarm {
  readonly farms: ReadonlyMap<string, LiveValues["farm"]>;
  readonly sensors: ReadonlyMap<string, LiveValues["sensor"]>;
  readonly controllers: ReadonlyMap<string, LiveValues["controller"]>;
  readonly channels: ReadonlyMap<string, LiveValues["channel"]>;
  readonly waterings: ReadonlyMap<string, LiveValues["watering"]>;
  readonly alarms: ReadonlyMap<string, LiveValues["alarm"]>;
}

const farmIn = (store: LiveStore): LiveFarm => ({
  farms: store.all("farm"),
  sensors: store.all("sensor"),
  controllers: store.all("controller"),
  channels: store.all("channel"),
  waterings: store.all("watering"),
  alarms: store.all("alarm"),
});

/** The farm at this moment, for handlers and for tables whose order stands still; not followed. */
export function useLiveFarm(): () => LiveFarm {
  const { store } = useLiveClient();
  return useCallback(() => farmIn(store), [store]);
}

/**
 * Something computed from whole kinds. Recomputed after flushes that touched one of `topics`; the component is
 * drawn again only if `same` says that the result differs.
 *
 * @param topics a list that stays the same (a constant outside the component). Where readings do not count, say
 *   `sensor.listing`: a thousand sensors report many times a second, and what a list draws of them changes rarely
 */
export function useLiveSelection<T>(
  topics: readonly LiveTopic[],
  select: (farm: LiveFarm) => T,
  same: (a: T, b: T) => boolean = Object.is,
): T {
  const { store } = useLiveClient();
  const last = useRef<{ versions: string; select: (farm: LiveFarm) => T; result: T } | null>(null);
  const subscribe = useCallback(
    (listener: () => void) => {
      const stops = topics.map((topic) => store.subscribe(topic, listener));
      return () => {
        for (const stop of stops) stop();
      };
    },
    [store, topics],
  );
  const read = () => {
    const versions = topics.map((topic) => store.version(topic)).join();
    const before = last.current;
    if (before?.versions === versions && before.select === select) return before.result;
    const fresh = select(farmIn(store));
    const result = before && same(before.result, fresh) ? before.result : fresh;
    last.current = { versions, select, result };
    return result;
  };
  return useSyncExternalStore(subscribe, read);
}

/** A part of the state of the links (ONL-4). */
export function useLink<T>(select: (link: LinkState) => T): T {
  return useStore(useLiveClient().link, select);
}

/** The quality that is drawn: the worse of the key's own and the links' (ONL-2). */
export function useShownQuality(quality: Quality | null): Quality | null {
  return worseQuality(quality, useLink(linkQuality));
}

/**
 * The quality that a controller or channel is drawn with: the worst of its own, its connection's and the links'
 * (ONL-2). Null for undefined, and for one that was never heard.
 */
export function useDrawnQuality(thing: Believable | undefined): DrawnQuality | null {
  const links = useLink(linkQuality);
  return thing === undefined ? null : worseQuality(drawnQuality(thing), links);
}

/** True once what stands on the screen is old: it is dimmed, and says so. */
export function useIsStale(): boolean {
  return useLink(({ screen }) => screen.state === "notLive" || screen.state === "ended");
}

/** True while what stands on the screen is the present, so that commands may be given. */
export function useIsLive(): boolean {
  return useLink((link) => link.screen.state === "live");
}

/**
 * Whether the page has ever stood at the present. Before that nobody may say that the farm has not got something: a
 * kept farm is not all of it. `failed`: the first connection takes so long that the page says so.
 */
export function useFirstSync(): "done" | "waiting" | "failed" {
  return useLink(({ screen, everSynced }) =>
    everSynced || screen.state === "live" ? "done" : screen.state === "starting" ? "waiting" : "failed",
  );
}

/** True while "nothing runs" and "nothing is wrong" may be said: live, or broken a moment ago. */
export function useKnowsPresent(): boolean {
  return useLink(({ screen }) => screen.state === "live" || screen.state === "reconnecting");
}

/**
 * Something that changes with time alone, looked at once a second on the server's clock (ONL-3): an age in
 * words, a countdown. The component is drawn again only when the result, a string or number, differs.
 *
 * @param select gets ms since 1970 UTC
 */
export function useServerTime<T extends string | number | boolean | null>(select: (now: number) => T): T {
  const { ticker, serverClock } = useLiveClient();
  return useSyncExternalStore(ticker.subscribe, () => select(serverClock.now()));
}

/** Ages are words of whole minutes from here on, ms. */
const MINUTE_MS = 60_000;

/**
 * How long ago an instant was, ms, on the server's clock; followed by the second under a minute and by the minute
 * above. Null for null.
 */
export function useAge(instant: string | null): number | null {
  return useServerTime((now) => {
    if (instant === null) return null;
    const age = Math.max(0, now - Date.parse(instant));
    const step = age < MINUTE_MS ? 1_000 : MINUTE_MS;
    return Math.floor(age / step) * step;
  });
}

/** Seconds since the relay was heard last, followed; null before the first message. */
export function useRelaySilence(): number | null {
  const { ticker, connection } = useLiveClient();
  return useSyncExternalStore(ticker.subscribe, () => {
    const ms = connection.silence();
    return ms === null ? null : Math.floor(ms / 1000);
  });
}

/** The server's clock at this moment, ms UTC, for handlers; not followed. */
export function useServerNow(): () => number {
  return useLiveClient().serverClock.now;
}

/** When something is pressed, as the relay is told it (CMD-10). */
export interface PressTime {
  /** ms UTC on the server's clock, and how far that may be ahead of it. */
  readonly at: number;
  readonly withinMs: number;
}

/** The present for a press, on the server's clock; null until the server has been heard. */
export function usePressTime(): () => PressTime | null {
  const { serverClock } = useLiveClient();
  return useCallback(() => {
    const withinMs = serverClock.mayBeAhead();
    return withinMs === null ? null : { at: serverClock.now(), withinMs };
  }, [serverClock]);
}

/** The newest events, newest first. */
export function useEvents(): readonly LoggedEvent[] {
  return useStore(useLiveClient().events, (log) => log.newestFirst);
}

/** Calls back for each event that comes while the page is open; not for those of a snapshot. */
export function useOnEvent(listener: (event: LiveEvent) => void): void {
  const { events } = useLiveClient();
  const newest = useRef(listener);
  useEffect(() => {
    newest.current = listener;
  });
  useEffect(
    () =>
      events.subscribe((state, before) => {
        const latest = state.newestFirst[0];
        if (state.arrived > before.arrived && latest) newest.current(latest.event);
      }),
    [events],
  );
}

/** Calls back when values of a key were skipped, so that its open chart asks for what it lacks (SUB-5). */
export function useOnCaughtUp(key: string, listener: () => void): void {
  const { ingest } = useLiveClient();
  const newest = useRef(listener);
  useEffect(() => {
    newest.current = listener;
  });
  useEffect(
    () =>
      ingest.onCaughtUp((keys: CaughtUp) => {
        if (keys === "all" || keys.has(key)) newest.current();
      }),
    [ingest, key],
  );
}
