import type { Clock } from "@mulkko/shared/rules/clock";
import { commandChannel, readOnOff, stateReport } from "./controller-messages.ts";
import { connectDevice, type DemoLogger, type DeviceLink } from "./device-link.ts";
import { signalStrength } from "./synthetic.ts";
import {
  type ChannelInput,
  type ChannelModel,
  closedChannel,
  type Moment,
  step,
} from "./virtual-controller.ts";
import { addedAt, type Soak } from "./wetness.ts";

const TICK_MS = 250;
/** A channel reports at least this often. */
const REPORT_MS = 20_000;

interface ValveBoxOptions {
  readonly url: string;
  readonly serial: number;
  readonly key: string;
  readonly fwversion: string;
  readonly channelNumbers: readonly number[];
  readonly soak: Soak;
  readonly clock: Clock;
  readonly logger: DemoLogger;
  /** Moisture that a channel's own probe reads without watering, %; absent where the box has none. */
  readonly ownMoisture?: (channelNumber: number, now: number) => number;
}

/** A virtual controller on the broker. */
export interface ValveBox {
  /** What watering has added to the readings of a channel's sensors, in the unit of the soaked field. */
  addedTo(channelNumber: number): number;
  stop(): void;
}

/** Connects a virtual controller: it obeys `cmd/onoff`, reports its channels and closes by itself. */
export function startValveBox(options: ValveBoxOptions): ValveBox {
  const { serial, clock, logger, soak } = options;
  const moment = (): Moment => ({ now: clock.now(), monotonic: clock.monotonic() });
  const channels = new Map<number, ChannelModel>(
    options.channelNumbers.map((channelNumber) => [channelNumber, closedChannel(moment())]),
  );
  const reportedAt = new Map<number, number>();

  function report(channelNumber: number, channel: ChannelModel): void {
    const { now, monotonic } = moment();
    const base = options.ownMoisture?.(channelNumber, now);
    const facts = { serial, fwversion: options.fwversion, rssi: signalStrength(serial, now) };
    const added = addedAt(soak, channel.wetness, monotonic);
    const moisture =
      base === undefined ? {} : { moisture: Math.round(Math.min(soak.ceiling, base + added) * 100) / 100 };
    const payload = stateReport({ ...facts, ...moisture }, channel, now);
    const handedOver = link.publish(`ch/${channelNumber}/state`, payload, { retain: true });
    if (handedOver) reportedAt.set(channelNumber, monotonic);
  }

  function take(channelNumber: number, input: ChannelInput): void {
    const channel = channels.get(channelNumber);
    if (channel === undefined) {
      logger.warn({ serial, channelNumber }, "demo controller has no such channel");
      return;
    }
    const next = step(soak, channel, input, moment());
    channels.set(channelNumber, next.channel);
    if (next.report) reportedAt.delete(channelNumber);
  }

  const link: DeviceLink = connectDevice({
    url: options.url,
    serial,
    key: options.key,
    logger,
    onConnect() {
      reportedAt.clear();
      reportDue();
    },
    onCommand(topic, payload) {
      const channelNumber = commandChannel(serial, topic);
      if (channelNumber === null) return;
      const read = readOnOff(payload);
      if (!read.ok) {
        logger.warn({ serial, channelNumber, reason: read.reason }, "demo controller cannot read a command");
        return;
      }
      take(channelNumber, { kind: "onoff", command: read.command });
      reportDue();
    },
  });

  /** Reports what has changed, what the broker has not taken yet, and what was last said long ago. */
  function reportDue(): void {
    for (const [channelNumber, channel] of channels) {
      const last = reportedAt.get(channelNumber);
      if (last === undefined || clock.monotonic() - last >= REPORT_MS) report(channelNumber, channel);
    }
  }

  const timer = setInterval(() => {
    for (const channelNumber of channels.keys()) take(channelNumber, { kind: "tick" });
    reportDue();
  }, TICK_MS);

  return {
    addedTo(channelNumber) {
      const channel = channels.get(channelNumber);
      return channel === undefined ? 0 : addedAt(soak, channel.wetness, clock.monotonic());
    },
    stop() {
      clearInterval(timer);
      link.stop();
    },
  };
}
