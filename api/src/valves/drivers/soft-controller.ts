import type { ReportCommand } from "@mulkko/shared/mqtt/device-messages";
import { topic } from "@mulkko/shared/mqtt/topics";
import type { DeviceIndex, KnownDevice } from "../../devices/device-index.ts";
import type { Valves } from "../driven-valves.ts";
import { driverOf, isOfValves, isTalk } from "./drivers.ts";
import { createSoftDevice, type SoftDevice, type SoftDeviceDeps } from "./soft-device.ts";

/** Longer messages do not come from a valve. */
const MAX_PAYLOAD = 64 * 1_024;

interface Turn {
  readonly soft: SoftDevice;
  last: Promise<unknown>;
}

export function createValves(deviceIndex: DeviceIndex, deps: SoftDeviceDeps): Valves {
  let known: readonly KnownDevice[] = [];
  let devices = new Map<string, Turn>();

  /** One at a time per device: messages are stored in order of arrival. */
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

  /** Follow the device index: a reloaded list is a new object. */
  function follow(): Turn[] {
    const current = deviceIndex.withValves();
    if (current === known) return [];
    known = current;
    const before = devices;
    devices = new Map(
      current.flatMap((device): [string, Turn][] => {
        if (!device.valves) return [];
        const turn = before.get(device.id);
        if (turn && isSame(turn.soft.device, device)) return [[device.id, turn]];
        return [
          [device.id, { soft: createSoftDevice(device, device.valves, deps), last: Promise.resolve() }],
        ];
      }),
    );
    deps.broker.follow(
      current.flatMap(({ valves }) => (valves ? driverOf(valves.driver).speaksUnder(valves) : [])),
    );
    return [...devices.values()];
  }

  async function loadDevices(): Promise<void> {
    await Promise.all(follow().map((turn) => inTurn(turn, (soft) => soft.load())));
  }

  async function withDevice(deviceId: string, work: (soft: SoftDevice) => Promise<void>): Promise<void> {
    await loadDevices();
    const turn = devices.get(deviceId);
    if (turn) await inTurn(turn, work);
  }

  return {
    drives: (deviceId) => deviceIndex.byId(deviceId)?.valves != null,
    turn: (deviceId, command, commandId) => withDevice(deviceId, (soft) => soft.turn(command, commandId)),
    reread: (deviceId) => withDevice(deviceId, (soft) => soft.load()),
    async ask(deviceId, number) {
      const device = deviceIndex.byId(deviceId);
      if (!device) return;
      if (device.valves) return withDevice(deviceId, (soft) => soft.ask(number));
      const body: ReportCommand = { at: new Date(deps.clock.now()).toISOString() };
      await deps.broker.publish({
        topic: topic.channelCommand(device.serial, number, "report"),
        payload: JSON.stringify(body),
        qos: 1,
      });
    },
    silence: (deviceId, numbers) => withDevice(deviceId, (soft) => soft.silence(numbers)),
    async handle({ topic: name, payload, retained }) {
      // Native devices send most messages.
      if (name.startsWith("mulkko/") && !name.endsWith("/valve/rpc")) return false;
      if (isTalk(name)) return true;
      const device = deviceIndex
        .withValves()
        .find(({ valves }) => valves !== null && isOfValves(valves, name));
      if (!device) return false;
      if (payload.length > MAX_PAYLOAD) return true;
      const text = Buffer.from(payload).toString("utf8");
      await withDevice(device.id, (soft) => soft.handle(name, text, retained));
      return true;
    },
    async look() {
      await loadDevices();
      await Promise.all([...devices.values()].map((turn) => inTurn(turn, (soft) => soft.look())));
    },
  };
}
