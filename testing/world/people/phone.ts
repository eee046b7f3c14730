import type { Account } from "@mulkko/shared/entities/account";
import type { Alarm } from "@mulkko/shared/live/alarm";
import type { ChannelValue } from "@mulkko/shared/live/devices";
import type { WateringPreview } from "@mulkko/shared/rest/waterings";
import type { Random } from "@mulkko/shared/rules/clock";
import { drawnQuality } from "@mulkko/shared/rules/quality";
import { fetchLogoutCheck, stopWatching } from "../../../web/src/api/account.ts";
import { createRestClient, type RestClient, watchAnswers } from "../../../web/src/api/client.ts";
import { liveTokens } from "../../../web/src/api/live-tokens.ts";
import { createSession, type Session } from "../../../web/src/api/session.ts";
import { createLeaseLock, createSessionStorage } from "../../../web/src/api/session-tabs.ts";
import { fetchPreview } from "../../../web/src/api/waterings.ts";
import { logOutAfterClosing } from "../../../web/src/domain/valve/closing-log-out.ts";
import { drawnView, isUnanswered, newestAbout } from "../../../web/src/domain/valve/drawn-view.ts";
import {
  type FleetCloseOrder,
  type OpeningOutcome,
  Outbox,
  type OutboxMemory,
} from "../../../web/src/domain/valve/outbox.ts";
import type { OutboxEntry } from "../../../web/src/domain/valve/outbox-entry.ts";
import type { ValveView } from "../../../web/src/domain/valve/valve-view.ts";
import { linkQuality } from "../../../web/src/live/link.ts";
import { createLiveClient, createTicker, type LiveClient } from "../../../web/src/live/live-client.ts";
import { createOutboxStore } from "../../../web/src/testing/outbox-store.ts";
import type { StoredReading } from "../devices/sensor.ts";
import { fetchOver } from "../network/http.ts";
import type { Line } from "../network/line.ts";
import type { Machine, Process } from "../network/machine.ts";
import type { WorldTime } from "../network/world-time.ts";
import type { Relays } from "../servers/relays.ts";
import { pageEdges, transportOver } from "./live-line.ts";

/** A browser's storage: it outlives pages. */
export class Memory implements OutboxMemory {
  readonly #items = new Map<string, string>();

  get length(): number {
    return this.#items.size;
  }

  key(index: number): string | null {
    return [...this.#items.keys()][index] ?? null;
  }

  getItem(key: string): string | null {
    return this.#items.get(key) ?? null;
  }

  setItem(key: string, value: string): void {
    this.#items.set(key, value);
  }

  removeItem(key: string): void {
    this.#items.delete(key);
  }
}

/** Tokens of a session, as the login answers them. */
export interface Login {
  readonly account: Account;
  readonly accessToken: string;
  readonly refreshToken: string;
}

const WITHDRAWAL = /\/relay\/commands\/([^/]+)\/withdraw$/;

/** The page that is open on a phone. */
export interface Page {
  readonly process: Process;
  readonly live: LiveClient;
  readonly session: Session;
  /** Calls in the name of its user. */
  readonly rest: RestClient;
  readonly outbox: Outbox;
  readonly stored: { getState(): readonly OutboxEntry[] };
  readonly stop: () => void;
  /** True once it shows the login, or the page of the log-out, in place of the farm. */
  isSignedOut: boolean;
}

/** A valve on the screen. */
export interface ShownValve {
  readonly channelId: string;
  readonly value: ChannelValue;
  readonly view: ValveView;
}

/**
 * A phone with the web client's live page, without what React draws: its connection, store, session, outbox, and the
 * functions that decide what is drawn.
 */
export class Phone {
  readonly machine: Machine;
  readonly #line: Line;
  readonly #relays: Relays;
  readonly #time: WorldTime;
  readonly #random: Random;
  readonly #browser = new Memory();
  readonly #tab = new Memory();
  #page: Page | null = null;
  #owner: LiveClient | null = null;
  #closeOwner: () => void = () => undefined;
  #isVisible = true;
  #presses = 0;
  readonly #onError: (error: unknown) => void;
  /** Called with each message of the relay that reaches the page. */
  onFrame: (text: string) => void = () => undefined;
  /** Called when the page learns what became of an opening. */
  onOpening: (commandId: string, outcome: OpeningOutcome) => void = () => undefined;
  /** Called when the page learns that the relay knows a close. */
  onCloseTaken: (commandId: string) => void = () => undefined;
  /** Called when the page withdraws an opening. */
  onWithdrawal: (commandId: string) => void = () => undefined;

  constructor(parts: {
    readonly machine: Machine;
    readonly line: Line;
    readonly relays: Relays;
    readonly time: WorldTime;
    readonly random: Random;
    readonly onError: (error: unknown) => void;
  }) {
    this.machine = parts.machine;
    this.#line = parts.line;
    this.#relays = parts.relays;
    this.#time = parts.time;
    this.#random = parts.random;
    this.#onError = parts.onError;
  }

  get page(): Page | null {
    return this.#page;
  }

  /** True while a person can read it. */
  get isRead(): boolean {
    return this.#page !== null && !this.#page.isSignedOut && this.machine.isWorking && this.#isVisible;
  }

  /** True while the screen says that what it shows is live. */
  get isLive(): boolean {
    return this.isRead && this.#page?.live.link.getState().screen.state === "live";
  }

  /** Sign in: the tokens are in the browser from now on. */
  signIn({ account, accessToken, refreshToken }: Login): void {
    const storage = createSessionStorage(this.#tab, this.#browser);
    storage.writeAuthUser({ account, accessToken });
    storage.writeRefreshToken(refreshToken);
  }

  #fetch(): ReturnType<typeof fetchOver> {
    const fetch = fetchOver(this.#line, this.#time, () => this.#relays.next());
    return (input, init) => {
      const [, withdrawn] = WITHDRAWAL.exec(String(input instanceof Request ? input.url : input)) ?? [];
      if (withdrawn !== undefined) this.onWithdrawal(withdrawn);
      return fetch(input, init);
    };
  }

  #session({ clock, timers }: Process): Session {
    const wait = (ms: number): Promise<void> => new Promise((resolve) => timers.after(ms, resolve));
    const fetch = this.#fetch();
    return createSession({
      fetch: (input, init) => fetch(input, init),
      storage: createSessionStorage(this.#tab, this.#browser),
      channel: { tell: () => undefined, listen: () => undefined },
      lock: createLeaseLock(this.#browser, "lease", clock.now, wait, this.#random),
      wait,
      waitForNetwork: wait,
      timers,
    });
  }

  /** Sign in on the login page, which is left for the live page. Rejects as the login does. */
  async logIn(username: string, password: string): Promise<void> {
    await this.#session(this.machine.boot()).login(username, password);
    this.open();
  }

  /** @param as account viewed in place of the own one (HS-2) */
  #liveClient(process: Process, session: Session, as?: string): LiveClient {
    const { every, ...edges } = pageEdges(process);
    const onFrame = (text: string): void => this.onFrame(text);
    const place = { line: this.#line, time: this.#time, relays: this.#relays };
    const transport = transportOver({ ...place, process, onFrame });
    const random = this.#random;
    const ticker = createTicker(every);
    const isVisible = (): boolean => this.#isVisible;
    return createLiveClient(liveTokens(session), { ...edges, transport, random, ticker, isVisible }, as);
  }

  /** Open the live page; the account signed in before. */
  open(): void {
    const process = this.machine.boot();
    const { clock, timers } = process;
    const fetch = this.#fetch();
    const session = this.#session(process);
    const live = this.#liveClient(process, session);
    const store = createOutboxStore();
    const { connection } = live;
    const rest = watchAnswers(
      createRestClient(
        { accessToken: session.accessToken, refresh: session.refresh },
        (input, init) => fetch(input, init),
        timers,
      ),
      connection,
    );
    const signedIn = (): string | null => {
      const state = session.store.getState();
      return state.state === "signed-in" ? `${state.account.id}` : null;
    };
    const accountId = this.#accountId();
    const outbox = new Outbox({
      rest,
      accountId,
      signedIn,
      memory: this.#browser,
      store,
      now: clock.now,
      timers,
    });
    const stop = this.#follow(live, outbox, session);
    const page: Page = { process, live, session, rest, outbox, stored: store, stop, isSignedOut: false };
    this.#page = page;
    session.store.subscribe(({ state }) => {
      if (state !== "signed-out" || page.isSignedOut) return;
      // The login is shown in place of the farm's pages, which stop.
      page.isSignedOut = true;
      this.closeOwner();
      stop();
    });
  }

  /** Wire the parts as the page's components do (`useFollowedOutbox`, `LiveProvider`). */
  #follow(live: LiveClient, outbox: Outbox, session: Session): () => void {
    session.start().catch(this.#onError);
    outbox.begin();
    let wasLive = false;
    const stops = [
      live.ticker.subscribe(live.connection.update),
      live.connection.start(),
      live.events.subscribe(({ newestFirst }) => {
        for (const { event } of newestFirst) if (event.kind === "command") outbox.named(event);
      }),
      live.link.subscribe(({ screen }) => {
        const isLive = screen.state === "live";
        if (isLive && !wasLive) outbox.resume();
        wasLive = isLive;
      }),
    ];
    return () => {
      for (const stop of stops) stop();
    };
  }

  #accountId(): string {
    return `${createSessionStorage(this.#tab, this.#browser).readAuthUser()?.account.id ?? ""}`;
  }

  /** Open the page of another account's devices, over a connection of its own, for an administrator (HS-2). */
  openOwner(accountId: string): void {
    const page = this.#page;
    if (!page || !this.isRead || this.#owner) return;
    const owner = this.#liveClient(page.process, page.session, accountId);
    const stops = [owner.ticker.subscribe(owner.connection.update), owner.connection.start()];
    this.#owner = owner;
    this.#closeOwner = () => {
      for (const stop of stops) stop();
    };
  }

  /** Close that page. */
  closeOwner(): void {
    this.#closeOwner();
    this.#closeOwner = () => undefined;
    this.#owner = null;
  }

  /** The live client of the page of another account's devices; null while it is not open. */
  get owner(): LiveClient | null {
    return this.#owner;
  }

  /** Close the page, as a browser does: nothing of it goes on. */
  close(): void {
    this.closeOwner();
    this.#page?.stop();
    this.#page = null;
    this.machine.kill();
  }

  reload(): void {
    this.close();
    this.open();
  }

  /** Log out on this phone. */
  logOut(): void {
    this.#page?.session.logout().catch(this.#onError);
  }

  /** Let the relay not watch the account any more while no user is signed in. Rejects as the request does. */
  async stopWatching(): Promise<void> {
    if (this.#page) await stopWatching(this.#page.rest);
  }

  /**
   * Log out on the page for it, as `Logout` and `LogoutQuestion` do: its user confirms that valves are closed first
   * (CMD-15).
   *
   * @param onClosing called with the closes that the page has stored for it
   * @returns false if a valve was not reported closed, or the log-out had no answer: the user stays, on the live page
   */
  async logOutAfterClosing(onClosing: (closes: readonly OutboxEntry[]) => void): Promise<boolean> {
    const page = this.#page;
    if (!page) return false;
    const { outbox, rest, session, stop } = page;
    page.isSignedOut = true;
    stop();
    const asked = await fetchLogoutCheck(rest, new AbortController().signal).catch(() => null);
    if (this.#page !== page) return false;
    if (asked === null || asked.closesFirst.length === 0) {
      await session.logout();
      return this.#page === page;
    }
    const before = new Set(this.unanswered.map(({ id }) => id));
    const left = logOutAfterClosing(outbox, session, asked.closesFirst);
    onClosing(this.unanswered.filter(({ id }) => !before.has(id)));
    try {
      await left;
      return this.#page === page;
    } catch {
      if (this.#page === page) this.reload();
      return false;
    }
  }

  /** The display goes off, and the system stops the page. */
  sleep(): void {
    this.#isVisible = false;
    this.machine.freeze();
  }

  wake(): void {
    this.#isVisible = true;
    this.machine.thaw();
    this.#page?.live.connection.wake();
  }

  /** Return what the screen says of a controller's valve; null while it is not listed. */
  shows(serial: number, number: number): ShownValve | null {
    const page = this.#page;
    if (!page || page.isSignedOut) return null;
    for (const [channelId, value] of page.live.store.all("channel")) {
      if (Number(value.serial) !== serial || value.number !== number) continue;
      const newest = newestAbout(page.stored.getState(), value);
      const isLate = newest !== null && isUnanswered(newest, page.process.clock.now());
      const quality = drawnQuality(value, linkQuality(page.live.link.getState()));
      return { channelId, value, view: drawnView(value, quality, isLate ? newest : null) };
    }
    return null;
  }

  /** Return a number of a sensor on the screen, and when it was measured by the screen, ms UTC; null without one. */
  showsReading(sensorId: string, field: string): StoredReading | null {
    const page = this.#page;
    if (!page || page.isSignedOut) return null;
    const sensor = page.live.store.all("sensor").get(sensorId);
    const value = sensor?.reading?.[field];
    if (!sensor || typeof value !== "number") return null;
    const at = sensor.fieldTimes?.[field] ?? sensor.at;
    return at === null ? null : { value, at: Date.parse(at), isMarked: sensor.clockWrongSince !== undefined };
  }

  /** Return the flips of a device in the page's log, newest first; times in ms UTC. */
  flipsOf(
    id: string,
  ): readonly { readonly at: number; readonly online: boolean; readonly last: number | null }[] {
    const logged = this.#page?.live.events.getState().newestFirst ?? [];
    return logged.flatMap(({ event }) =>
      event.kind === "flip" && event.key.endsWith(id)
        ? [
            {
              at: Date.parse(event.at),
              online: event.online,
              last: event.last === null ? null : Date.parse(event.last),
            },
          ]
        : [],
    );
  }

  /** Ask for the waterings of the next 24 hours, as the page does. Rejects as the request does. */
  async preview(): Promise<WateringPreview> {
    const page = this.#page;
    if (!page) throw new Error("no page is open");
    return fetchPreview(page.rest, null, new AbortController().signal);
  }

  get alarms(): readonly Alarm[] {
    return [...(this.#page?.live.store.all("alarm").values() ?? [])];
  }

  /** The commands of this phone that have no answer. */
  get unanswered(): readonly OutboxEntry[] {
    return this.#page?.stored.getState() ?? [];
  }

  /** True while the page lets its user open a valve. */
  get mayOpen(): boolean {
    return this.isLive;
  }

  #nextId(): string {
    this.#presses += 1;
    const own = Math.floor(this.#random() * 0xffff_ffff)
      .toString(16)
      .padStart(8, "0");
    return `${own}-0000-4000-8000-${this.#presses.toString(16).padStart(12, "0")}`;
  }

  #pressed() {
    const { serverClock } = this.#page?.live ?? {};
    const withinMs = serverClock?.mayBeAhead() ?? null;
    return serverClock && withinMs !== null ? { at: serverClock.now(), withinMs } : null;
  }

  /** Earliest moment of a press now by the page's estimate of the relay's clock, ms UTC; null without one (CMD-10). */
  get pressedFrom(): number | null {
    const pressed = this.#pressed();
    return pressed && pressed.at - pressed.withinMs;
  }

  /** The moment of a press now by that estimate, ms UTC; null without one. */
  get pressedAt(): number | null {
    return this.#pressed()?.at ?? null;
  }

  /** Press "open". @returns the command's id; null where the page does not let it be pressed */
  pressOpen({ value }: ShownValve, runSeconds: number): string | null {
    const page = this.#page;
    if (!page || !this.mayOpen) return null;
    const commandId = this.#nextId();
    const { controllerId, number } = value;
    page.outbox
      .open(
        {
          commandId,
          form: "controller",
          controllerId,
          number,
          target: 1,
          runSeconds,
          pressed: this.#pressed(),
        },
        () => undefined,
      )
      .then((outcome) => this.onOpening(commandId, outcome), this.#onError);
    return commandId;
  }

  /** Press "close". @returns the command's id */
  pressClose({ channelId, value }: ShownValve): string | null {
    const page = this.#page;
    if (!page || !this.isRead) return null;
    const commandId = this.#nextId();
    const { controllerId, number } = value;
    page.outbox
      .close(
        { commandId, form: "controller", controllerId, number, pressed: this.#pressed() },
        { channelId, name: null },
      )
      .then(({ kind }) => {
        if (kind === "taken") this.onCloseTaken(commandId);
      })
      .catch(this.#onError);
    return commandId;
  }

  /** Press "close all valves". @returns the id of the press; null where it cannot be pressed */
  pressCloseAll(): string | null {
    const page = this.#page;
    if (!page || !this.isRead) return null;
    const channels = [...page.live.store.all("channel").values()];
    const valves = channels.map(({ controllerId, number }) => ({ controllerId, number }));
    let id: string | null = null;
    page.outbox
      .closeAll({ id: null, name: null, valves }, this.#pressed())
      .then(({ kind }) => {
        if (kind === "taken" && id !== null) this.onCloseTaken(id);
      })
      .catch(this.#onError);
    id = this.unanswered.findLast(({ kind }) => kind === "close-all")?.id ?? null;
    return id;
  }

  /** Press "close" on a valve of any account, as an administrator. @returns as {@link pressCloseAll} */
  pressCloseInFleet(order: Omit<FleetCloseOrder, "pressed">): string | null {
    const page = this.#page;
    if (!page || !this.isRead) return null;
    let id: string | null = null;
    page.outbox
      .closeInFleet({ ...order, pressed: this.#pressed() })
      .then(({ kind }) => {
        if (kind === "taken" && id !== null) this.onCloseTaken(id);
      })
      .catch(this.#onError);
    id = this.unanswered.findLast(({ kind }) => kind === "fleet-close")?.id ?? null;
    return id;
  }

  /** Take back what has no answer yet. */
  takeBack(id: string): void {
    this.#page?.outbox.takeBack(id);
  }
}
