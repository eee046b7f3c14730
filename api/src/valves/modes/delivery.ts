import type {
  AutomaticCommand,
  ModeCommand,
  PeriodCommand,
  ReservationCommand,
} from "@mulkko/shared/mqtt/device-messages";
import { topic } from "@mulkko/shared/mqtt/topics";
import type { Clock, Timer, Timers } from "@mulkko/shared/rules/clock";
import type { FastifyBaseLogger } from "fastify";
import type { Queryable } from "../../database/database.ts";
import type { Broker } from "../../devices/broker.ts";
import type { DeviceIndex, KnownDevice } from "../../devices/device-index.ts";
import type { Valves } from "../driven-valves.ts";
import { publishClose } from "../on-off.ts";
import { type ChannelSettings, type Mode, readSettings } from "./repository.ts";

type SettingCommand = AutomaticCommand | ReservationCommand | PeriodCommand;
type AnySetting = SettingCommand["setting"];
/** A command without its time. */
type Said<C> = Omit<C, "at">;

/** The identity of a target device. */
interface Addressee {
  readonly id: string;
  readonly serial: number;
}

/** Time after which settings that could not be sent are sent again, ms. */
const AGAIN_MS = 5_000;

/**
 * Send watering settings to controllers. What cannot be sent now is sent again until it is, and when the device
 * subscribes.
 */
export interface Delivery {
  /**
   * Send the stored settings of the given modes, and then the active mode. A failure is logged once, and the device
   * gets all of its settings later.
   *
   * @param number the channel; null: each one with settings
   */
  send(device: Addressee, number: number | null, modes: readonly Mode[]): Promise<void>;
  /** Send the reservations of an account's controllers again: their times now apply in another zone. */
  sendZone(accountId: string): Promise<void>;
  /** Close channels that are about to be deleted, and remove their settings from the device. */
  silence(device: Addressee, numbers: readonly number[]): Promise<void>;
  /** Do the same for all channels of all devices of an account that is about to be deleted. */
  silenceAccount(accountId: string): Promise<void>;
  stop(): void;
}

export const MODES: readonly Mode[] = ["automatic", "reservation", "period"];

function settingOf(settings: ChannelSettings, mode: Mode): AnySetting {
  if (mode !== "reservation") return settings[mode];
  const { reservation, timezone } = settings;
  return reservation && { ...reservation, timezone };
}

export function createDelivery(parts: {
  readonly database: Queryable;
  readonly deviceIndex: Pick<DeviceIndex, "byId" | "ofAccount">;
  readonly broker: Pick<Broker, "publish">;
  /** Software control for devices that cannot water by themselves. */
  readonly valves: Pick<Valves, "drives" | "reread" | "silence">;
  readonly clock: Clock;
  readonly timers: Timers;
  readonly logger: Pick<FastifyBaseLogger, "warn">;
}): Delivery {
  const { database, deviceIndex, broker, valves, clock, timers, logger } = parts;
  // Both bounded by the registered devices.
  const owed = new Map<string, Timer>();
  const failing = new Set<string>();
  const queues = new Map<string, Promise<void>>();

  const publish = (serial: number, number: number, command: string, body: object): Promise<void> => {
    const payload = JSON.stringify({ ...body, at: new Date(clock.now()).toISOString() });
    return broker.publish({ topic: topic.channelCommand(serial, number, command), payload, qos: 1 });
  };

  /** One at a time per device: settings stored first must not arrive last. */
  function inTurn(
    device: Addressee,
    work: () => Promise<void>,
    failed = (): void => undefined,
  ): Promise<void> {
    const turn = (queues.get(device.id) ?? Promise.resolve()).then(work).then(
      () => void failing.delete(device.id),
      (error: unknown) => {
        failed();
        if (failing.has(device.id)) return;
        failing.add(device.id);
        logger.warn(
          { event: "watering-settings-not-sent", err: error, serial: device.serial },
          "cannot send watering settings",
        );
      },
    );
    queues.set(device.id, turn);
    return turn.finally(() => {
      if (queues.get(device.id) === turn) queues.delete(device.id);
    });
  }

  const withChannels = (accountId: string): KnownDevice[] =>
    deviceIndex.ofAccount(accountId).filter(({ channels }) => channels.length > 0);

  /** Send all settings later: a mode that was switched off must not stay in charge. */
  function sendAgain(device: Addressee): void {
    if (owed.has(device.id)) return;
    const again = (): void => {
      owed.delete(device.id);
      if (deviceIndex.byId(device.id)) void send(device, null, MODES);
      else failing.delete(device.id);
    };
    owed.set(device.id, timers.after(AGAIN_MS, again));
  }

  const send: Delivery["send"] = (device, number, modes) => {
    const work = async (): Promise<void> => {
      if (valves.drives(device.id)) return valves.reread(device.id);
      for (const settings of await readSettings(database, device.id)) {
        if (number !== null && settings.number !== number) continue;
        for (const mode of modes) {
          const setting = settingOf(settings, mode);
          await publish(device.serial, settings.number, mode, { setting });
        }
        const active: Said<ModeCommand> = { active: settings.mode, revision: settings.revision };
        await publish(device.serial, settings.number, "mode", active);
      }
    };
    return inTurn(device, work, () => sendAgain(device));
  };

  const silence: Delivery["silence"] = (device, numbers) =>
    inTurn(device, async () => {
      if (valves.drives(device.id)) return valves.silence(device.id, numbers);
      const none: Said<ModeCommand> = { active: "none" };
      for (const number of numbers) {
        await publish(device.serial, number, "mode", none);
        for (const mode of MODES) await publish(device.serial, number, mode, { setting: null });
        await publishClose(broker, device.serial, number, clock.now());
      }
    });

  return {
    send,
    silence,
    async sendZone(accountId) {
      for (const device of withChannels(accountId)) await send(device, null, ["reservation"]);
    },
    async silenceAccount(accountId) {
      for (const device of withChannels(accountId)) {
        await silence(
          device,
          device.channels.map(({ number }) => number),
        );
      }
    },
    stop() {
      for (const timer of owed.values()) timer.cancel();
      owed.clear();
    },
  };
}
