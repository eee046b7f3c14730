import type { InMessage } from "../broker/broker.ts";
import type { DeviceDirectory, KnownDevice } from "../devices/directory.ts";
import type { ValveCommand } from "../modules/command/rules.ts";
import { driverOf, isOfValves, isTalk } from "./drivers.ts";
import { createSoftDevice, type SoftDevice, type SoftParts } from "./soft-device.ts";

/** Longer messages are no valve's. */
const MAX_PAYLOAD = 64 * 1_024;

/** The controllers whose valves a driver speaks for. */
export interface Valves {
  drives(deviceId: string): boolean;
  /** @throws BrokerDownError; ApiError 409 for an opening that came too late */
  turn(deviceId: string, command: ValveCommand, commandId: string): Promise<void>;
  /** Settings were written. */
  reread(deviceId: string): Promise<void>;
  /** Closes channels that are about to be forgotten. */
  silence(deviceId: string, numbers: readonly number[]): Promise<void>;
  /** @returns whether it was a message of a valve's firmware */
  take(message: InMessage): Promise<boolean>;
  /** Takes up what is registered, and does what is due; to be called all the time. */
  look(): Promise<void>;
}

interface Turn {
  readonly soft: SoftDevice;
  last: Promise<unknown>;
}

export function createValves(directory: DeviceDirectory, parts: SoftParts): Valves {
  let known: readonly KnownDevice[] = [];
  let devices = new Map<string, Turn>();

  /** One after another for each device: what was heard first is kept first. */
  function inTurn<T>(turn: Turn, work: (soft: SoftDevice) => Promise<T>): Promise<T> {
    const next = turn.last.then(() => work(turn.soft));
    turn.last = next.catch(() => undefined);
    return next;
  }

  const isSame = (one: KnownDevice, other: KnownDevice): boolean =>
    one.serial === other.serial &&
    one.accountId === other.accountId &&
    one.valves?.driver === other.valves?.driver &&
    one.valves?.address === other.valves?.address;

  /** Follows the directory: a list that was read anew is another list. */
  function follow(): Turn[] {
    const current = directory.withValves();
    if (current === known) return [];
    known = current;
    const before = devices;
    devices = new Map(
      current.flatMap((device): [string, Turn][] => {
        if (!device.valves) return [];
        const turn = before.get(device.id);
        if (turn && isSame(turn.soft.device, device)) return [[device.id, turn]];
        return [
          [device.id, { soft: createSoftDevice(device, device.valves, parts), last: Promise.resolve() }],
        ];
      }),
    );
    parts.broker.follow(
      current.flatMap(({ valves }) => (valves ? driverOf(valves.driver).speaksUnder(valves) : [])),
    );
    return [...devices.values()];
  }

  async function takeUp(): Promise<void> {
    await Promise.all(follow().map((turn) => inTurn(turn, (soft) => soft.load())));
  }

  async function withDevice(deviceId: string, work: (soft: SoftDevice) => Promise<void>): Promise<void> {
    await takeUp();
    const turn = devices.get(deviceId);
    if (turn) await inTurn(turn, work);
  }

  return {
    drives: (deviceId) => directory.byId(deviceId)?.valves != null,
    turn: (deviceId, command, commandId) => withDevice(deviceId, (soft) => soft.turn(command, commandId)),
    reread: (deviceId) => withDevice(deviceId, (soft) => soft.load()),
    silence: (deviceId, numbers) => withDevice(deviceId, (soft) => soft.silence(numbers)),
    async take({ topic, payload }) {
      // What native devices say is most of all messages.
      if (topic.startsWith("mulkko/") && !topic.endsWith("/valve/rpc")) return false;
      if (isTalk(topic)) return true;
      const device = directory
        .withValves()
        .find(({ valves }) => valves !== null && isOfValves(valves, topic));
      if (!device) return false;
      if (payload.length > MAX_PAYLOAD) return true;
      const text = Buffer.from(payload).toString("utf8");
      await withDevice(device.id, (soft) => soft.hear(topic, text));
      return true;
    },
    async look() {
      await takeUp();
      await Promise.all([...devices.values()].map((turn) => inTurn(turn, (soft) => soft.look())));
    },
  };
}
