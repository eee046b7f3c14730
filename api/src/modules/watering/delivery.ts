import type {
  AutomaticCommand,
  ModeCommand,
  PeriodCommand,
  ReservationCommand,
} from "@mulkko/shared/mqtt/device-messages";
import { topic } from "@mulkko/shared/mqtt/topics";
import type { Clock } from "@mulkko/shared/rules/clock";
import type { FastifyBaseLogger } from "fastify";
import type { Broker } from "../../broker/broker.ts";
import type { Queryable } from "../../database/database.ts";
import type { DeviceDirectory, KnownDevice } from "../../devices/directory.ts";
import type { Valves } from "../../valve-drivers/soft-controller.ts";
import { publishClose } from "../command/on-off.ts";
import { type ChannelSettings, type Mode, readSettings } from "./repository.ts";

type SettingCommand = AutomaticCommand | ReservationCommand | PeriodCommand;
type AnySetting = SettingCommand["setting"];
/** A command before its time is put on it. */
type Said<C> = Omit<C, "at">;

/** What stands for a device on its way. */
interface Addressee {
  readonly id: string;
  readonly serial: number;
}

/** Tells controllers how they are to water. What cannot be said now is said when the device listens again. */
export interface Delivery {
  /**
   * Sends what is stored of the named modes, and then which mode is in charge.
   *
   * @param number the channel; null: each that has settings
   */
  tell(device: Addressee, number: number | null, modes: readonly Mode[]): Promise<void>;
  /** Sends the reservations of an account's controllers again, as their hours are meant in another zone now. */
  tellZone(accountId: string): Promise<void>;
  /** Closes channels that are about to be forgotten, and takes their settings from the device. */
  silence(device: Addressee, numbers: readonly number[]): Promise<void>;
  /** The same for all channels of all devices of an account that is about to be deleted. */
  silenceAccount(accountId: string): Promise<void>;
}

export const MODES: readonly Mode[] = ["automatic", "reservation", "period"];

function settingOf(settings: ChannelSettings, mode: Mode): AnySetting {
  if (mode !== "reservation") return settings[mode];
  const { reservation, timezone } = settings;
  return reservation && { ...reservation, timezone };
}

export function createDelivery(parts: {
  readonly database: Queryable;
  readonly directory: DeviceDirectory;
  readonly broker: Broker;
  /** Water by themselves what no controller waters. */
  readonly valves: Pick<Valves, "drives" | "reread" | "silence">;
  readonly clock: Clock;
  readonly logger: FastifyBaseLogger;
}): Delivery {
  const { database, directory, broker, valves, clock, logger } = parts;
  const queues = new Map<string, Promise<void>>();

  const publish = (serial: number, number: number, command: string, body: object): Promise<void> => {
    const payload = JSON.stringify({ ...body, at: new Date(clock.now()).toISOString() });
    return broker.publish({ topic: topic.channelCommand(serial, number, command), payload, qos: 1 });
  };

  /** One after another for each device: what was stored first must not arrive last. */
  function inTurn(device: Addressee, work: () => Promise<void>): Promise<void> {
    const turn = (queues.get(device.id) ?? Promise.resolve()).then(work).catch((error: unknown) => {
      logger.warn({ err: error, serial: device.serial }, "watering settings were not sent");
    });
    queues.set(device.id, turn);
    return turn.finally(() => {
      if (queues.get(device.id) === turn) queues.delete(device.id);
    });
  }

  const withChannels = (accountId: string): KnownDevice[] =>
    directory.ofAccount(accountId).filter(({ channels }) => channels.length > 0);

  const tell: Delivery["tell"] = (device, number, modes) =>
    inTurn(device, async () => {
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
    });

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
    tell,
    silence,
    async tellZone(accountId) {
      for (const device of withChannels(accountId)) await tell(device, null, ["reservation"]);
    },
    async silenceAccount(accountId) {
      for (const device of withChannels(accountId)) {
        await silence(
          device,
          device.channels.map(({ number }) => number),
        );
      }
    },
  };
}
