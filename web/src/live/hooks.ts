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
  useEffectEvent,
  useRef,
  useState,
  useSyncExternalStore,
} from "react";
import { useStore } from "zustand";
import type { LiveTokens } from "./connection.ts";
import type { LoggedEvent } from "./ingest.ts";
import type { KeyedStore } from "./keyed-store.ts";
import {
  type Asked,
  answerKnowledge,
  type Knowledge,
  knowledgeOf,
  type LinkState,
  linkQuality,
} from "./link.ts";
import { createLiveClient, type LiveClient } from "./live-client.ts";
import type { CaughtUp } from "./state-stream.ts";
import type { LiveKind, LiveStore, LiveTopic, LiveValues } from "./store.ts";

const LiveContext = createContext<LiveClient | null>(null);

interface LiveProviderProps {
  tokens: LiveTokens;
  client?: LiveClient;
  /** Account that an administrator views in place of the own one (HS-2). */
  as?: string;
  children: ReactNode;
}

/**
 * Connect the page for one account. Set the account's id as `key`: another account gets a separate instance
 * of everything.
 */
export function LiveProvider(props: LiveProviderProps) {
  const [client] = useState(() => props.client ?? createLiveClient(props.tokens, undefined, props.as));
  useEffect(() => client.start(), [client]);
  return createElement(LiveContext, { value: client }, props.children);
}

/** Return the whole client, for components that subscribe to extra streams. */
export function useLiveClient(): LiveClient {
  const client = useContext(LiveContext);
  if (!client) throw new Error("live hooks need a LiveProvider around them");
  return client;
}

/** Return one value and follow it; undefined while there is none. */
export function useLive<K extends LiveKind>(kind: K, id: string | number): LiveValues[K] | undefined {
  return useFollowed(useLiveClient().store, `${kind}:${id}`, (store) => store.get(kind, `${id}`));
}

/**
 * Return a part of one value and follow it: a number, its info, its quality. The component re-renders only
 * when the part itself changes.
 *
 * @param select must return the same object for the same value
 */
export function useLivePart<K extends LiveKind, T>(
  kind: K,
  id: string | number,
  select: (value: LiveValues[K] | undefined) => T,
): T {
  return useFollowed(useLiveClient().store, `${kind}:${id}`, (store) => select(store.get(kind, `${id}`)));
}

/** Return the ids of a kind; changes only when one is added or removed. */
export function useLiveIds(kind: LiveKind): readonly string[] {
  return useFollowed(useLiveClient().store, kind, (store) => store.ids(kind));
}

/** All maps at once, for {@link useLiveSelection}. */
export type LiveFarm = Readonly<ReturnType<typeof farmIn>>;

const farmIn = (store: LiveStore) => ({
  farms: store.all("farm"),
  sensors: store.all("sensor"),
  controllers: store.all("controller"),
  channels: store.all("channel"),
  waterings: store.all("watering"),
  alarms: store.all("alarm"),
});

/**
 * Return a getter of the current farm, for handlers and for tables with a frozen order; it does not follow
 * changes.
 */
export function useLiveFarm(): () => LiveFarm {
  const { store } = useLiveClient();
  return useCallback(() => farmIn(store), [store]);
}

/**
 * Compute a value from whole kinds. It is recomputed after flushes that changed one of `topics`; the
 * component re-renders only if `same` reports a difference.
 *
 * @param topics a stable list (a constant outside the component). Where readings do not matter, use
 * `sensor.listing`: a thousand sensors report many times a second, and a list's content changes rarely
 */
export function useLiveSelection<T>(
  topics: readonly LiveTopic[],
  select: (farm: LiveFarm) => T,
  same: (a: T, b: T) => boolean = Object.is,
): T {
  const { store } = useLiveClient();
  const selectIn = useCallback((from: LiveStore) => select(farmIn(from)), [select]);
  return useSelection(store, topics, selectIn, same);
}

/** Return a part of the links' state and follow it (ONL-4). */
export function useLink<T>(select: (link: LinkState) => T): T {
  return useStore(useLiveClient().link, select);
}

/** Return the best quality that the links allow, for sums of values (ONL-2). */
export function useLinkQuality(): Quality {
  return useLink(linkQuality);
}

/** Return the displayed quality: the worse of the value's and the links' (ONL-2). */
export function useShownQuality(quality: Quality | null): Quality | null {
  return worseQuality(quality, useLinkQuality());
}

/**
 * Return the displayed quality of a controller or channel: the worst of its own, its connection's and the
 * links' (ONL-2). Null for undefined, and for a device without any message.
 */
export function useDrawnQuality(thing: Believable | undefined): DrawnQuality | null {
  const links = useLinkQuality();
  return thing === undefined ? null : drawnQuality(thing, links);
}

/** Return true if the displayed values are outdated: the page is dimmed and says so. */
export function useIsStale(): boolean {
  return useLink(({ screen }) => screen.state === "notLive" || screen.state === "ended");
}

/** Return true while the displayed values are live, so that commands are allowed. */
export function useIsLive(): boolean {
  return useLink((link) => link.screen.state === "live");
}

/**
 * Return whether the page has ever been live. Before that the absence of an object is unknown: a stored farm
 * is incomplete. `failed`: the first connection takes so long that the page reports it.
 */
export function useFirstSync(): "done" | "waiting" | "failed" {
  return useLink(({ screen, everSynced }) =>
    everSynced || screen.state === "live" ? "done" : screen.state === "starting" ? "waiting" : "failed",
  );
}

/**
 * Return if claims about the farm, or about an answer over REST, can be made (KNOW-1). A text of such a claim
 * goes through `useClaim`.
 */
export function useKnowledge(asked?: Asked): Knowledge {
  const links = useLink(knowledgeOf);
  return asked === undefined ? links : answerKnowledge(asked, links);
}

/**
 * Compute a value that changes with time alone (an age as text, a countdown), once a second on the server's
 * clock (ONL-3). The component re-renders only when the result, a string or number, changes.
 *
 * @param select receives ms since 1970 UTC
 */
export function useServerTime<T extends string | number | boolean | null>(select: (now: number) => T): T {
  const { ticker, serverClock } = useLiveClient();
  return useSyncExternalStore(ticker.subscribe, () => select(serverClock.now()));
}

/** Ages from here on are text in whole minutes, ms. */
const MINUTE_MS = 60_000;

/**
 * Return the age of an instant, ms, on the server's clock, and follow it: by the second under a minute, by
 * the minute above. Null for null.
 */
export function useAge(instant: string | null): number | null {
  return useServerTime((now) => {
    if (instant === null) return null;
    const age = Math.max(0, now - Date.parse(instant));
    const step = age < MINUTE_MS ? 1_000 : MINUTE_MS;
    return Math.floor(age / step) * step;
  });
}

/** Return the seconds since the relay's last message and follow them; null before the first message. */
export function useRelaySilence(): number | null {
  const { ticker, connection } = useLiveClient();
  return useSyncExternalStore(ticker.subscribe, () => {
    const ms = connection.silence();
    return ms === null ? null : Math.floor(ms / 1000);
  });
}

/** Return a getter of the server's clock, ms UTC, for handlers; it does not follow changes. */
export function useServerNow(): () => number {
  return useLiveClient().serverClock.now;
}

/** Time of a press, as sent to the relay (CMD-10). */
export interface PressTime {
  /** Ms UTC on the server's clock, and the maximum lead over it. */
  readonly at: number;
  readonly withinMs: number;
}

/** Return a getter of the press time on the server's clock; null before the server's first message. */
export function usePressTime(): () => PressTime | null {
  const { serverClock } = useLiveClient();
  return useCallback(() => {
    const withinMs = serverClock.mayBeAhead();
    return withinMs === null ? null : { at: serverClock.now(), withinMs };
  }, [serverClock]);
}

/** Return the newest events, newest first. */
export function useEvents(): readonly LoggedEvent[] {
  return useStore(useLiveClient().events, (log) => log.newestFirst);
}

/** Call back for each event received while the page is open; not for those of a snapshot. */
export function useOnEvent(listener: (event: LiveEvent) => void): void {
  const { events } = useLiveClient();
  const newest = useEffectEvent(listener);
  useEffect(
    () =>
      events.subscribe((state, before) => {
        const latest = state.newestFirst[0];
        if (state.arrived > before.arrived && latest) newest(latest.event);
      }),
    [events],
  );
}

/** Call back when values of a key were skipped, so that its open chart refetches the gap (SUB-5). */
export function useOnCaughtUp(key: string, listener: () => void): void {
  const { ingest } = useLiveClient();
  const newest = useEffectEvent(listener);
  useEffect(
    () =>
      ingest.onCaughtUp((keys: CaughtUp) => {
        if (keys === "all" || keys.has(key)) newest();
      }),
    [ingest, key],
  );
}

type Followed<T extends string> = Pick<KeyedStore<unknown, T>, "version" | "subscribe">;

/** Read from a store and follow one key or topic. @param read must return the same object while nothing changes */
export function useFollowed<S extends Pick<Followed<string>, "subscribe">, R>(
  store: S,
  keyOrTopic: string,
  read: (store: S) => R,
): R {
  const subscribe = useCallback(
    (listener: () => void) => store.subscribe(keyOrTopic, listener),
    [store, keyOrTopic],
  );
  return useSyncExternalStore(subscribe, () => read(store));
}

/**
 * Compute a value from a whole store, again when one of `topics` changes. The component renders again only
 * if `same` returns false.
 *
 * @param topics a list that stays the same object (a constant outside the component)
 */
export function useSelection<S extends Followed<T>, T extends string, R>(
  store: S,
  topics: readonly T[],
  select: (store: S) => R,
  same: (a: R, b: R) => boolean = Object.is,
): R {
  const last = useRef<{ versions: string; select: (store: S) => R; result: R } | null>(null);
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
    const fresh = select(store);
    const result = before && same(before.result, fresh) ? before.result : fresh;
    last.current = { versions, select, result };
    return result;
  };
  return useSyncExternalStore(subscribe, read);
}
