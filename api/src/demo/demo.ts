import type { Clock } from "@mulkko/shared/rules/clock";
import type { DemoController, DemoDevice } from "./device.ts";
import { connectDevice, type DemoLogger, type DeviceLink } from "./device-link.ts";
import { DEMO_CONTROLLERS, DEMO_DEVICES } from "./farm.ts";
import { startPublisher } from "./publisher.ts";
import { createReplay, type DemoReading, loadRecordings, type Replay } from "./replay.ts";
import { syntheticFields } from "./synthetic.ts";
import { startValveBox, type ValveBox } from "./valve-box.ts";
import { PADDY_SOAK, SOIL_SOAK, type Soak, withWater } from "./wetness.ts";

interface DemoOptions {
  /** `mqtt://…` of the broker that the devices speak to. */
  readonly brokerUrl: string;
  /** The device's key at the broker. */
  readonly deviceKey: (serial: number) => string;
  readonly clock: Clock;
  readonly logger: DemoLogger;
  /** Time from one reading of a device to its next. */
  readonly intervalMs?: number;
  /** The replay that also made the history; read from the project's recordings where absent. */
  readonly replay?: Replay;
}

const INTERVAL_MS = 10_000;

function soakOf(controller: DemoController): Soak {
  return controller.type === "CON01W" ? PADDY_SOAK : SOIL_SOAK;
}

/** The channels whose water reaches each sensor, by the sensor's serial. */
function channelsBySensor(): Map<number, { controller: DemoController; channelNumber: number }> {
  return new Map(
    DEMO_CONTROLLERS.flatMap((controller) =>
      controller.channels.flatMap(({ channelNumber, sensorSerials }) =>
        sensorSerials.map((serial) => [serial, { controller, channelNumber }] as const),
      ),
    ),
  );
}

/**
 * Runs every device and controller of the demo farm against a broker, each on a connection of its own like a
 * real one. Returns at once; devices keep trying while the broker is away.
 */
export function startDemo(options: DemoOptions): { stop(): void } {
  const { brokerUrl: url, deviceKey, clock, logger } = options;
  const replay = options.replay ?? createReplay(loadRecordings());
  const boxes = new Map<number, ValveBox>();
  const links = new Map<number, DeviceLink>();
  const watering = channelsBySensor();

  for (const controller of DEMO_CONTROLLERS) {
    const { serial, fwversion } = controller;
    const channelNumbers = controller.channels.map((channel) => channel.channelNumber);
    const soak = soakOf(controller);
    boxes.set(
      serial,
      startValveBox({ url, serial, key: deviceKey(serial), fwversion, channelNumbers, soak, clock, logger }),
    );
  }
  for (const device of DEMO_DEVICES) {
    const { serial } = device;
    if (device.source.kind !== "valves") {
      links.set(serial, connectDevice({ url, serial, key: deviceKey(serial), logger }));
      continue;
    }
    boxes.set(
      serial,
      startValveBox({
        url,
        serial,
        key: deviceKey(serial),
        fwversion: device.fwversion,
        channelNumbers: Array.from({ length: device.chNums }, (_, index) => index + 1),
        soak: SOIL_SOAK,
        clock,
        logger,
        ownMoisture: (channelNumber, now) =>
          syntheticFields(device.deviceType, serial * 10 + channelNumber, now).moisture ?? 0,
      }),
    );
  }

  function watered(device: DemoDevice, reading: DemoReading): DemoReading {
    const channel = watering.get(device.serial);
    if (channel === undefined) return reading;
    const added = boxes.get(channel.controller.serial)?.addedTo(channel.channelNumber) ?? 0;
    return { ...reading, fields: withWater(soakOf(channel.controller), reading.fields, added) };
  }

  const publisher = startPublisher({
    devices: DEMO_DEVICES.filter((device) => links.has(device.serial)),
    replay,
    clock,
    intervalMs: options.intervalMs ?? INTERVAL_MS,
    publish: (serial, payload) => void links.get(serial)?.publish("up", payload),
    watered,
  });
  logger.info({ devices: links.size, controllers: boxes.size }, "demo farm speaks");

  return {
    stop() {
      publisher.stop();
      for (const box of boxes.values()) box.stop();
      for (const link of links.values()) link.stop();
    },
  };
}
