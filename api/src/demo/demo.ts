import { deviceTypeOf } from "@mulkko/shared/catalogue/registry";
import { MOISTURE_FRESH_MS } from "@mulkko/shared/rules/automatic-mode";
import type { Clock } from "@mulkko/shared/rules/clock";
import { connectDevice, type DemoLogger, type DeviceLink } from "./device-link.ts";
import { DEMO_CONTROLLERS, DEMO_DEVICES, type DemoController, type DemoDevice } from "./farm.ts";
import { createReplay, type DemoReading, loadRecordings, type Replay, uplinkOf } from "./replay.ts";
import {
  type SimulatedChannel,
  type SimulatedController,
  startSimulatedController,
} from "./simulated-controller.ts";
import { syntheticFields } from "./synthetic.ts";
import { PADDY_SOAK, SOIL_SOAK, type Soak, withWater } from "./wetness.ts";

/** Times of a device's next measurement and its transmission, ms since 1970 UTC. */
interface Turn {
  readonly at: number;
  readonly due: number;
}

/** A timer may fire this much early; a turn this close has just been done. */
const TIMER_SLACK_MS = 5;

/**
 * Return the first turn after `now`. Devices measure on the interval's grid, so that the times of recorded
 * rows are met. They send at their own phases, so that they do not all send at once.
 */
export function nextTurn(now: number, intervalMs: number, phase: number): Turn {
  const at = (Math.floor((now - phase) / intervalMs) + 1) * intervalMs;
  return { at, due: at + phase };
}

interface PublisherOptions {
  readonly devices: readonly DemoDevice[];
  readonly replay: Replay;
  readonly clock: Pick<Clock, "now">;
  readonly intervalMs: number;
  /** Pass one message of `mulkko/{serial}/up` to the device's connection. */
  readonly publish: (serial: number, payload: Record<string, unknown>) => void;
  /** Apply the water of the farm's valves to a reading. */
  readonly watered: (device: DemoDevice, reading: DemoReading) => DemoReading;
}

/** Let every device send once per interval, where the recording has a reading. */
function startPublisher(options: PublisherOptions): { stop(): void } {
  const { devices, replay, clock, intervalMs } = options;
  const timers = new Map<number, NodeJS.Timeout>();

  function schedule(device: DemoDevice, phase: number): void {
    const now = clock.now();
    const turn = nextTurn(now + TIMER_SLACK_MS, intervalMs, phase);
    const timer = setTimeout(() => {
      const reading = replay.readingAt(device, turn.at);
      if (reading !== null) options.publish(device.serial, uplinkOf(options.watered(device, reading)));
      schedule(device, phase);
    }, turn.due - now);
    timers.set(device.serial, timer);
  }

  for (const [place, device] of devices.entries()) {
    schedule(device, Math.floor((place * intervalMs) / devices.length));
  }
  return {
    stop() {
      for (const timer of timers.values()) clearTimeout(timer);
      timers.clear();
    },
  };
}

interface DemoOptions {
  /** `mqtt://…` of the broker for the devices. */
  readonly brokerUrl: string;
  /** Return the device's key at the broker. */
  readonly deviceKey: (serial: number) => string;
  readonly clock: Clock;
  readonly logger: DemoLogger;
  /** Interval between two readings of a device, ms. */
  readonly intervalMs?: number;
  /** The replay that also produced the history; by default it is read from the project's recordings. */
  readonly replay?: Replay;
}

const INTERVAL_MS = 10_000;

function soakOf(controller: DemoController): Soak {
  return controller.type === "CON01W" ? PADDY_SOAK : SOIL_SOAK;
}

/** A channel, and the effect of its water on its sensors. */
interface Watered {
  readonly serial: number;
  readonly channelNumber: number;
  readonly soak: Soak;
}

/** Return the channels whose water reaches each sensor, by the sensor's serial. */
function channelsBySensor(): Map<number, Watered> {
  return new Map(
    DEMO_CONTROLLERS.flatMap((controller) =>
      controller.channels.flatMap(({ channelNumber, sensorSerials, soak = soakOf(controller) }) =>
        sensorSerials.map((serial) => [serial, { serial: controller.serial, channelNumber, soak }] as const),
      ),
    ),
  );
}

/** Keep the last moisture reported by each sensor. */
function createReportedMoisture(clock: Clock) {
  const reported = new Map<number, { readonly moisture: number; readonly at: number }>();
  return {
    keep({ serial }: DemoDevice, { fields }: DemoReading): void {
      const { moisture } = fields;
      if (typeof moisture === "number") reported.set(serial, { moisture, at: clock.monotonic() });
    },
    /** Return the mean of the values reported within the hour, %; null where there is none. */
    mean(serials: readonly number[]): number | null {
      const from = clock.monotonic() - MOISTURE_FRESH_MS;
      const fresh = serials.flatMap((serial) => {
        const last = reported.get(serial);
        return last && last.at >= from ? [last.moisture] : [];
      });
      return fresh.length === 0 ? null : fresh.reduce((sum, value) => sum + value, 0) / fresh.length;
    },
  };
}

const measuresMoisture = (serial: number): boolean =>
  deviceTypeOf(DEMO_DEVICES.find((device) => device.serial === serial)?.deviceType ?? "").fields.some(
    ({ name }) => name === "moisture",
  );

/**
 * Run every device and controller of the demo farm against a broker, each on its own connection like a real
 * device. Return at once; devices retry while the broker is unavailable.
 */
export function startDemo(options: DemoOptions): { stop(): void } {
  const { brokerUrl: url, deviceKey, clock, logger } = options;
  const replay = options.replay ?? createReplay(loadRecordings());
  const controllers = new Map<number, SimulatedController>();
  const links = new Map<number, DeviceLink>();
  const watering = channelsBySensor();

  const reportedMoisture = createReportedMoisture(clock);

  for (const controller of DEMO_CONTROLLERS) {
    const { serial, fwversion } = controller;
    const channels = controller.channels.map(
      ({ channelNumber, sensorSerials, soak = soakOf(controller) }): SimulatedChannel => ({
        channelNumber,
        soak,
        ...(sensorSerials.some(measuresMoisture)
          ? { sensorMoisture: () => reportedMoisture.mean(sensorSerials) }
          : {}),
      }),
    );
    controllers.set(
      serial,
      startSimulatedController({ url, serial, key: deviceKey(serial), fwversion, channels, clock, logger }),
    );
  }
  for (const device of DEMO_DEVICES) {
    const { serial } = device;
    if (device.source.kind !== "valves") {
      links.set(serial, connectDevice({ url, serial, key: deviceKey(serial), logger }));
      continue;
    }
    controllers.set(
      serial,
      startSimulatedController({
        url,
        serial,
        key: deviceKey(serial),
        fwversion: device.fwversion,
        channels: Array.from({ length: device.chNums }, (_, index) => ({
          channelNumber: index + 1,
          soak: SOIL_SOAK,
          ownMoisture: (now) =>
            syntheticFields(device.deviceType, serial * 10 + index + 1, now).moisture ?? 0,
        })),
        clock,
        logger,
      }),
    );
  }

  function watered(device: DemoDevice, reading: DemoReading): DemoReading {
    const channel = watering.get(device.serial);
    if (channel === undefined) return reading;
    const added = controllers.get(channel.serial)?.addedTo(channel.channelNumber) ?? 0;
    const wet = { ...reading, fields: withWater(channel.soak, reading.fields, added) };
    reportedMoisture.keep(device, wet);
    return wet;
  }

  const publisher = startPublisher({
    devices: DEMO_DEVICES.filter((device) => links.has(device.serial)),
    replay,
    clock,
    intervalMs: options.intervalMs ?? INTERVAL_MS,
    publish: (serial, payload) => void links.get(serial)?.publish("up", payload),
    watered,
  });
  logger.info(
    { event: "demo-started", devices: links.size, controllers: controllers.size },
    "started demo farm",
  );

  return {
    stop() {
      publisher.stop();
      for (const controller of controllers.values()) controller.stop();
      for (const link of links.values()) link.stop();
    },
  };
}
