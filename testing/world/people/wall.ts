import type { Alarm } from "@mulkko/shared/live/alarm";
import { OwnDisplay, PairingAnswer, PairingCode } from "@mulkko/shared/rest/displays";
import { relayPath } from "@mulkko/shared/rest/routes";
import type { Random } from "@mulkko/shared/rules/clock";
import { drawnQuality } from "@mulkko/shared/rules/quality";
import { type Fetch, performCall } from "../../../web/src/api/http.ts";
import { tallyDevices } from "../../../web/src/domain/farm/device-tally.ts";
import { valveView } from "../../../web/src/domain/valve/valve-view.ts";
import { linkQuality } from "../../../web/src/live/link.ts";
import { createTicker, type LiveClient } from "../../../web/src/live/live-client.ts";
import { verdict } from "../../../web/src/wall/freshness/verdict.ts";
import { askWhyEnded } from "../../../web/src/wall/kiosk/ended.ts";
import { createSlowFrames, createWallClient, tokensOf } from "../../../web/src/wall/live-wall.ts";
import { createPairing, type Pairing } from "../../../web/src/wall/pairing/pairing.ts";
import {
  createDisplaySession,
  createDisplayStorage,
  type DisplaySession,
} from "../../../web/src/wall/session/display-session.ts";
import { fetchOver } from "../network/http.ts";
import type { Line } from "../network/line.ts";
import type { Machine, Process } from "../network/machine.ts";
import type { WorldTime } from "../network/world-time.ts";
import type { Relays } from "../servers/relays.ts";
import { pageEdges, transportOver } from "./live-line.ts";
import { Memory, type ShownValve } from "./phone.ts";

/** The page that is open on a wall. */
interface WallPage {
  readonly session: DisplaySession;
  readonly pairing: Pairing;
  readonly stop: () => void;
  /** The connection of the farm's pages, with the function that stops them; null while another page is shown. */
  farm: { readonly token: string; readonly live: LiveClient; readonly stop: () => void } | null;
}

/**
 * A wall with the client's live page, without what React draws: its pairing, its session, its connection and store, and
 * the functions that decide what is drawn.
 */
export class Wall {
  readonly machine: Machine;
  readonly line: Line;
  readonly #relays: Relays;
  readonly #time: WorldTime;
  readonly #random: Random;
  readonly #browser = new Memory();
  #page: WallPage | null = null;
  /** Called with each message of the relay that reaches the page. */
  onFrame: (text: string) => void = () => undefined;

  constructor(parts: {
    readonly machine: Machine;
    readonly line: Line;
    readonly relays: Relays;
    readonly time: WorldTime;
    readonly random: Random;
  }) {
    this.machine = parts.machine;
    this.line = parts.line;
    this.#relays = parts.relays;
    this.#time = parts.time;
    this.#random = parts.random;
  }

  /** State of the page: the farm, a code, or why there is neither; null while it has no power. */
  get at(): ReturnType<DisplaySession["store"]["getState"]>["at"] | null {
    return this.#page?.session.store.getState().at ?? null;
  }

  /** Code on the screen; null while it shows none. */
  get code(): string | null {
    const state = this.#page?.pairing.store.getState();
    return this.at === "unpaired" && state?.state === "code" ? state.code : null;
  }

  /** Id by which its account revokes it; null while it shows no farm. */
  get displayId(): string | null {
    const state = this.#page?.session.store.getState();
    return state?.at === "showing" ? state.display.id : null;
  }

  /** True while the farm's pages are shown. */
  get isShowing(): boolean {
    return this.at === "showing" && this.machine.isWorking;
  }

  /** True while the bar says that what is shown is live. */
  get isLive(): boolean {
    const live = this.#page?.farm?.live;
    if (!live || !this.isShowing) return false;
    const { screen, silentSince, relay, withheld } = live.link.getState();
    const { store, serverClock } = live;
    const boxes = [...store.all("sensor").values(), ...store.all("controller").values()];
    const devices = tallyDevices(boxes, linkQuality(live.link.getState()));
    const facts = { screen: screen.state, silentSince, relay, withheld, devices, now: serverClock.now() };
    return verdict(facts).kind === "live";
  }

  get alarms(): readonly Alarm[] {
    return [...(this.#page?.farm?.live.store.all("alarm").values() ?? [])];
  }

  /** Return what the screen says of a controller's valve; null while it is not listed. */
  shows(serial: number, number: number): ShownValve | null {
    const live = this.#page?.farm?.live;
    if (!live || !this.isShowing) return null;
    for (const [channelId, value] of live.store.all("channel")) {
      if (Number(value.serial) !== serial || value.number !== number) continue;
      const quality = drawnQuality(value, linkQuality(live.link.getState()));
      return { channelId, value, view: valveView({ onoff: value.onoff, command: value.command, quality }) };
    }
    return null;
  }

  /** Switch it on: the page shows the farm with its stored token, or a code. */
  powerOn(): void {
    const process = this.machine.boot();
    const { clock, timers } = process;
    const { every, nextFrame, ...edges } = pageEdges(process);
    const { line } = this;
    const [time, relays, random] = [this.#time, this.#relays, this.#random];
    const fetch = fetchOver(line, time, () => relays.next());
    const fetcher: Fetch = (input, init) => fetch(input, init);
    const session = createDisplaySession({
      storage: createDisplayStorage(this.#browser),
      askDisplay: (token) =>
        performCall(
          fetcher,
          { method: "GET", path: relayPath.ownDisplay, answer: OwnDisplay },
          token,
          timers,
        ),
      timers,
      random,
    });
    const { displayCodes, displayToken } = relayPath;
    const pairing = createPairing({
      calls: {
        askCode: () =>
          performCall(fetcher, { method: "POST", path: displayCodes, answer: PairingCode }, null, timers),
        askToken: (deviceCode) =>
          performCall(
            fetcher,
            { method: "POST", path: displayToken, answer: PairingAnswer, body: { deviceCode } },
            null,
            timers,
          ),
      },
      ...{ clock, timers, random },
      approved: session.paired,
    });
    const onFrame = (text: string): void => this.onFrame(text);
    const connect = (token: string) => {
      const live = createWallClient(tokensOf(session, token), {
        ...edges,
        nextFrame: createSlowFrames(clock, timers, nextFrame),
        transport: transportOver({ line, time, relays, process, onFrame }),
        random,
        ticker: createTicker(every),
        isVisible: () => true,
      });
      const stops = [live.ticker.subscribe(live.connection.update), this.#followEnd(session, live, process)];
      stops.push(live.connection.start());
      const stop = (): void => {
        for (const one of stops) one();
      };
      return { token, live, stop };
    };
    let stopPairing: (() => void) | null = null;
    const stops: (() => void)[] = [];
    const page: WallPage = {
      session,
      pairing,
      stop: () => {
        for (const one of stops) one();
        stopPairing?.();
        page.farm?.stop();
      },
      farm: null,
    };
    /** Show what the state of the session wants, as `Wall` does. */
    const follow = (): void => {
      const state = session.store.getState();
      const token = state.at === "showing" ? state.token : null;
      if (page.farm && page.farm.token !== token) {
        page.farm.stop();
        page.farm = null;
      }
      if (token !== null) page.farm ??= connect(token);
      if (state.at === "unpaired") stopPairing ??= pairing.start();
      else {
        stopPairing?.();
        stopPairing = null;
      }
    };
    this.#page = page;
    stops.push(session.store.subscribe(follow), session.start());
  }

  /** Ask why a connection ended, and if the settings are as before, as `Kiosk` does. */
  #followEnd(session: DisplaySession, live: LiveClient, { timers }: Process): () => void {
    let [wasLive, stopAsking]: [boolean | null, (() => void) | null] = [null, null];
    const stop = live.link.subscribe(({ screen }) => {
      const isLive = screen.state !== "notLive" && screen.state !== "ended";
      // The connection may have ended because the screen's settings changed.
      if (isLive !== wasLive) session.prove().catch(() => undefined);
      wasLive = isLive;
      if (screen.state === "ended")
        stopAsking ??= askWhyEnded(session, timers, () => {
          this.powerOff();
          this.powerOn();
        });
    });
    return () => {
      stop();
      stopAsking?.();
    };
  }

  powerOff(): void {
    this.#page?.stop();
    this.#page = null;
    this.machine.kill();
  }

  /** A person lets it forget its farm, so that it shows a code. */
  forget(): void {
    this.#page?.session.forget();
  }
}
