// This file is long because all work of one real controller runs here in order: its messages, decisions and
// commands.

import { isDeepStrictEqual } from "node:util";
import { MOISTURE_FRESH_MS } from "@mulkko/shared/rules/automatic-mode";
import type { Clock } from "@mulkko/shared/rules/clock";
import { VALVE_OFF, VALVE_ON, VALVE_UNKNOWN } from "@mulkko/shared/rules/valve";
import type { FastifyBaseLogger } from "fastify";
import type { Database } from "../../database/database.ts";
import { type Broker, BrokerDownError, type OutMessage } from "../../devices/broker.ts";
import type { KnownDevice, KnownValves } from "../../devices/device-index.ts";
import type { DeviceLinks } from "../../devices/device-links.ts";
import type { DriverReport } from "../../devices/received.ts";
import { expiryOf, type ValveCommand } from "../command-rules.ts";
import { meanMoisture } from "../controller-repository.ts";
import { type Action, decide } from "../modes/decide.ts";
import { modesReport } from "../modes/engine-settings.ts";
import { type Ending, type EngineState, ended, type Moment } from "../modes/engine-state.ts";
import { finishModes } from "../modes/repository.ts";
import type { Valve, ValveNews } from "./driver.ts";
import { driverOf } from "./drivers.ts";
import { afterNews, closing, isAwaited, isLimited, opening, type SoftChannel } from "./soft-channel.ts";
import { loadChannels, type StoredSoftChannel, saveEngine } from "./soft-store.ts";

/** An unconfirmed close is repeated at this interval, for this long, ms. */
const CLOSE_AGAIN_MS = 10_000;
const CLOSE_FOR_MS = 10 * 60_000;
/** A run that should end by itself gets this much extra time, ms. */
const OWN_END_MS = 5_000;
/** A silent valve is queried at this interval, ms. */
const ASK_MS = 5 * 60_000;
/** A device that reports online may still be subscribing, ms. */
const SETTLE_MS = 500;

interface LiveChannel extends StoredSoftChannel {
  soft: SoftChannel;
  nextLookAt: number;
  /** Time to query and configure its valve, on the monotonic clock. */
  greetAt: number;
  /** The unconfirmed close: sent again at `at`, until `until`. */
  closes: { at: number; until: number } | null;
}

/** Stores what a driver reports of its valves, and sends it on. */
export interface ReportSink {
  report(report: DriverReport): Promise<void>;
  /** Store that the device went online or offline. */
  line(device: KnownDevice, online: boolean): Promise<void>;
  readonly links: Pick<DeviceLinks, "of">;
  readonly outputs: { changed(accountId: string, entity: "channel", id: string | number): void };
}

export interface SoftDeviceDeps {
  readonly database: Database;
  readonly ingest: ReportSink;
  readonly broker: Broker;
  readonly clock: Clock;
  readonly logger: FastifyBaseLogger;
}

/** A controller that only opens and closes: this process runs its watering modes. */
export interface SoftDevice {
  readonly device: KnownDevice;
  load(): Promise<void>;
  /** @param retained true for the broker's copy of an earlier message */
  handle(topic: string, payload: string, retained: boolean): Promise<void>;
  /** Ask a valve for its state. */
  ask(number: number): Promise<void>;
  /** @throws BrokerDownError; ApiError 409 for a late open */
  turn(command: ValveCommand, commandId: string): Promise<void>;
  /** Close channels that are about to be deleted. */
  silence(numbers: readonly number[]): Promise<void>;
  /** Do what is due. */
  look(): Promise<void>;
}

export function createSoftDevice(device: KnownDevice, valves: KnownValves, deps: SoftDeviceDeps): SoftDevice {
  const { database, ingest, broker, clock, logger } = deps;
  const driver = driverOf(valves.driver);
  let channels = new Map<number, LiveChannel>();
  const moment = (): Moment => ({ now: clock.now(), monotonic: clock.monotonic() });
  const valveOf = (number: number): Valve => ({ ...valves, number });

  async function send(messages: readonly OutMessage[]): Promise<void> {
    for (const message of messages) await broker.publish(message);
  }

  /** Send messages that can be repeated later. */
  async function trySend(messages: readonly OutMessage[]): Promise<void> {
    try {
      await send(messages);
    } catch (error) {
      if (!(error instanceof BrokerDownError)) throw error;
      logger.warn({ event: "valve-unreachable", err: error, serial: valves.serial }, "cannot reach valve");
    }
  }

  async function keepEngine(live: LiveChannel, engine: EngineState): Promise<void> {
    if (engine === live.engine) return;
    live.engine = engine;
    await saveEngine(database, live.channelId, engine);
  }

  /** Store the state after a run, and deactivate a mode that ran once. */
  async function keepEnding(live: LiveChannel, { state, clears }: Ending): Promise<void> {
    await keepEngine(live, state);
    if (!clears) return;
    const { number, settings } = live;
    await finishModes(database, [{ deviceId: device.id, number, revision: settings.revision }]);
    live.settings = { ...settings, active: "none" };
    ingest.outputs.changed(device.accountId, "channel", live.channelId);
  }

  /** @param heardAt arrival of the valve's state; null where only the settings changed, or for a retained one */
  async function report(live: LiveChannel, heardAt: number | null, retained = false): Promise<void> {
    const { soft, number, settings } = live;
    if (soft.onoff === VALVE_UNKNOWN) return;
    const modes = Object.entries({ ...modesReport(settings), limit: isLimited(soft) ? "valve" : "none" });
    await ingest.report({
      deviceId: device.id,
      number,
      heardAt,
      retained,
      onoff: soft.onoff,
      moisture: null,
      runUntil: soft.runUntil,
      commandId: soft.commandId,
      fwversion: null,
      rssi: null,
      modes: Object.fromEntries(modes.flatMap(([key, value]) => (value === null ? [] : [[key, value]]))),
    });
  }

  async function open(
    live: LiveChannel,
    commandId: string | null,
    forMs: number,
    expiresAt: number,
  ): Promise<void> {
    const seconds = Math.min(Math.ceil(forMs / 1_000), driver.maxSeconds);
    const before = live.soft;
    live.soft = opening(before, commandId, seconds * 1_000, moment());
    live.closes = null;
    try {
      const run = { seconds, commandId: commandId ?? "", expiresAt };
      await send([driver.open(valveOf(live.number), run)]);
    } catch (error) {
      live.soft = before;
      throw error;
    }
  }

  async function close(live: LiveChannel, commandId: string | null): Promise<void> {
    const { now, monotonic } = moment();
    live.soft = closing(live.soft, commandId);
    live.closes ??= { at: monotonic + CLOSE_AGAIN_MS, until: monotonic + CLOSE_FOR_MS };
    await send([driver.close(valveOf(live.number), commandId ?? "", now + CLOSE_AGAIN_MS)]);
  }

  async function execute(live: LiveChannel, action: Action): Promise<void> {
    if (action.kind === "nothing") return;
    logger.info(
      { event: "mode-action", serial: valves.serial, number: live.number, ...action },
      "soft controller runs watering mode",
    );
    const { now, monotonic } = moment();
    try {
      if (action.kind === "open") await open(live, null, action.forMs, now + CLOSE_AGAIN_MS);
      else if (action.reason === "done") {
        // It closes by itself: a close is sent only if it does not.
        live.closes = { at: monotonic + OWN_END_MS, until: monotonic + CLOSE_FOR_MS };
      } else await close(live, null);
    } catch (error) {
      if (!(error instanceof BrokerDownError)) throw error;
      logger.warn({ event: "valve-unreachable", err: error, serial: valves.serial }, "cannot reach valve");
    }
  }

  async function water(live: LiveChannel): Promise<void> {
    if (clock.monotonic() < live.nextLookAt) return;
    const isRunning = live.engine.run !== null;
    // The modes wait during manual watering, and open no offline valve.
    const isAway = ingest.links.of(device.id).online !== true || broker.hasSession(valves.serial) === false;
    const waits = live.soft.onoff === VALVE_ON || isAway;
    if (!isRunning && waits) return;
    const from = clock.now() - MOISTURE_FRESH_MS;
    const moisture =
      live.settings.active === "automatic" ? await meanMoisture(database, live.channelId, from) : null;
    const decision = decide(live.settings, live.engine, moisture, moment());
    live.nextLookAt = decision.nextLookAt;
    // Stored before anything is sent, so that a restart does not open twice.
    await keepEnding(live, decision);
    await execute(live, decision.action);
  }

  async function greet(live: LiveChannel): Promise<void> {
    const { monotonic } = moment();
    if (monotonic < live.greetAt) return;
    live.greetAt = monotonic + ASK_MS;
    const valve = valveOf(live.number);
    await trySend(driver.ask(valve));
  }

  async function closeAgain(live: LiveChannel): Promise<void> {
    const { closes } = live;
    const { monotonic } = moment();
    if (!closes || monotonic < closes.at) return;
    if (live.soft.onoff !== VALVE_ON || monotonic >= closes.until) {
      live.closes = null;
      return;
    }
    live.closes = { ...closes, at: monotonic + CLOSE_AGAIN_MS };
    await trySend([driver.close(valveOf(live.number), live.soft.closing?.commandId ?? "", clock.now())]);
  }

  async function handleNews(live: LiveChannel, said: ValveNews): Promise<void> {
    const before = live.soft;
    const heardAt = clock.now();
    // Its own message proves that a valve is there; the broker's copy of an earlier status word does not (ORD-4).
    if (ingest.links.of(device.id).online !== true) await ingest.line(device, true);
    live.soft = afterNews(before, said, moment());
    if (said.kind !== "valve") {
      // A confirmed setting does not show whether the valve is open.
      if (isLimited(before) !== isLimited(live.soft)) await report(live, null);
      return;
    }
    if (live.soft.onoff === VALVE_OFF) {
      live.closes = null;
      if (before.onoff === VALVE_ON) {
        await keepEnding(live, ended(live.settings, live.engine, moment()));
        live.nextLookAt = clock.monotonic();
        if (!isAwaited(live.soft, moment())) await trySend(driver.afterRun(valveOf(live.number)));
      }
      // Configure only a valve that stays closed: a run must not be disturbed.
      if (!isLimited(live.soft) && !isAwaited(live.soft, moment()))
        await trySend(driver.keep(valveOf(live.number)));
    }
    await report(live, heardAt);
  }

  /**
   * Take the broker's copy of an earlier message: it is no contact and ends no run (ORD-4). The valve is asked
   * for its state.
   */
  async function handleRetained(said: ValveNews): Promise<void> {
    if (said.kind === "line" && !said.online) await handleOnline(false);
    for (const live of channels.values()) {
      live.greetAt = Math.min(live.greetAt, clock.monotonic() + SETTLE_MS);
      if (said.kind !== "valve" || said.number !== live.number) continue;
      const shown = { ...live, soft: { ...live.soft, onoff: said.isOpen ? VALVE_ON : VALVE_OFF } as const };
      await report(shown, null, true);
    }
  }

  async function handleOnline(online: boolean): Promise<void> {
    await ingest.line(device, online);
    if (!online) return;
    for (const live of channels.values()) {
      live.greetAt = clock.monotonic() + SETTLE_MS;
      // After a power cut or a reset, the settings must be confirmed again.
      live.soft = { ...live.soft, kept: { "closed-at-power-up": false, limit: false } };
    }
  }

  return {
    device,
    async load() {
      const now = moment();
      const fresh = await loadChannels(database, device, now);
      const before = channels;
      channels = new Map(
        fresh.map((stored): [number, LiveChannel] => {
          const known = channels.get(stored.number);
          const { engine, soft, ...settings } = stored;
          const live: LiveChannel = known
            ? { ...known, ...settings, nextLookAt: now.monotonic }
            : {
                ...stored,
                soft,
                engine,
                nextLookAt: now.monotonic,
                greetAt: now.monotonic + SETTLE_MS,
                closes: null,
              };
          return [stored.number, live];
        }),
      );
      for (const live of channels.values()) {
        const known = before.get(live.number);
        // Repeat the valve's last state with the changed modes.
        if (known && !isDeepStrictEqual(known.settings, live.settings)) await report(live, null);
      }
    },
    async ask(number) {
      await send(driver.ask(valveOf(number)));
    },
    async handle(topic, payload, retained) {
      for (const said of driver.parse(valves, topic, payload, clock.now())) {
        if (retained) await handleRetained(said);
        else if (said.kind === "line") await handleOnline(said.online);
        else if (said.kind === "refused") {
          logger.warn(
            { event: "valve-refused-command", serial: valves.serial, reason: said.reason },
            "valve refused command",
          );
        } else {
          const numbers = said.number === null ? [...channels.keys()] : [said.number];
          for (const number of numbers) {
            const live = channels.get(number);
            if (live) await handleNews(live, said);
          }
        }
      }
    },
    async turn(command, commandId) {
      const live = channels.get(command.number);
      if (!live) return;
      const expiresAt = expiryOf(command, clock.now());
      await keepEnding(live, ended(live.settings, live.engine, moment()));
      if (command.target === VALVE_OFF) await close(live, commandId);
      else await open(live, commandId, (command.maxRunSeconds ?? 0) * 1_000, expiresAt);
    },
    async silence(numbers) {
      for (const number of numbers) {
        await trySend([driver.close(valveOf(number), "", clock.now() + CLOSE_AGAIN_MS)]);
        channels.delete(number);
      }
    },
    async look() {
      for (const live of channels.values()) {
        await greet(live);
        await closeAgain(live);
        await water(live);
      }
    },
  };
}
