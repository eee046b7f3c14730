import type { ReportCommand } from "@mulkko/shared/mqtt/device-messages";
import { topic } from "@mulkko/shared/mqtt/topics";
import { VALVE_OFF } from "@mulkko/shared/rules/valve";
import type { Broker } from "../../devices/broker.ts";
import type { DeviceIndex, KnownDevice } from "../../devices/device-index.ts";
import type { Valves } from "../driven-valves.ts";
import { driverOf, isOfValves, isTalk } from "./drivers.ts";
import { SoftDevice, type SoftDeviceDeps } from "./soft-device.ts";

/** Longer messages do not come from a valve. */
const MAX_PAYLOAD = 64 * 1_024;

interface Turn {
  readonly soft: SoftDevice;
  last: Promise<unknown>;
}

export function createValves(
  deviceIndex: Pick<DeviceIndex, "byId" | "withValves">,
  deps: Omit<SoftDeviceDeps, "broker"> & {
    readonly broker: Pick<Broker, "publish" | "hasSession" | "follow">;
  },
): Valves {
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
  function follow(): void {
    const current = deviceIndex.withValves();
    if (current === known) return;
    known = current;
    const before = devices;
    devices = new Map(
      current.flatMap((device): [string, Turn][] => {
        if (!device.valves) return [];
        const turn = before.get(device.id);
        if (turn && isSame(turn.soft.device, device)) return [[device.id, turn]];
        return [[device.id, { soft: new SoftDevice(device, device.valves, deps), last: Promise.resolve() }]];
      }),
    );
    for (const { soft } of devices.values()) soft.markStale();
    deps.broker.follow(
      current.flatMap(({ valves }) => (valves ? driverOf(valves.driver).speaksUnder(valves) : [])),
    );
  }

  function turnOf(deviceId: string): Turn | undefined {
    follow();
    return devices.get(deviceId);
  }

  /** Run work of all devices; an error of one stops no other. @throws the first error */
  async function forAll(work: (turn: Turn) => Promise<void>): Promise<void> {
    follow();
    const results = await Promise.allSettled([...devices.values()].map(work));
    for (const result of results) if (result.status === "rejected") throw result.reason;
  }

  return {
    drives: (deviceId) => deviceIndex.byId(deviceId)?.valves != null,
    async turn(deviceId, command, commandId) {
      const turn = turnOf(deviceId);
      if (!turn) return;
      // A close waits for nothing that waits for the store.
      if (command.target === VALVE_OFF) return turn.soft.close(command.number, commandId);
      const pressed = turn.soft.pressedOf(command.number);
      await inTurn(turn, (soft) => soft.open(command, commandId, pressed));
    },
    async reread(deviceId) {
      const turn = turnOf(deviceId);
      turn?.soft.markChanged();
      if (turn) await inTurn(turn, (soft) => soft.load());
    },
    async ask(deviceId, number) {
      const device = deviceIndex.byId(deviceId);
      if (!device) return;
      if (device.valves) return turnOf(deviceId)?.soft.ask(number);
      const body: ReportCommand = { at: new Date(deps.clock.now()).toISOString() };
      await deps.broker.publish({
        topic: topic.channelCommand(device.serial, number, "report"),
        payload: JSON.stringify(body),
        qos: 1,
      });
    },
    async endRun(deviceId, number, mode) {
      await turnOf(deviceId)?.soft.endRun(number, mode);
    },
    async silence(deviceId, numbers) {
      await turnOf(deviceId)?.soft.silence(numbers);
    },
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
      const turn = turnOf(device.id);
      if (turn) await inTurn(turn, (soft) => soft.handle(name, text, retained));
      return true;
    },
    closeDue: () => forAll((turn) => turn.soft.closeDue()),
    look: () => forAll((turn) => inTurn(turn, (soft) => soft.look())),
  };
}
