import type { Clock } from "@mulkko/shared/rules/clock";
import { VALVE_ON } from "@mulkko/shared/rules/valve";
import type { Moment } from "../watering-engine/state.ts";
import { type ChannelModes, look, takenOver, told, untoldModes } from "./channel-modes.ts";
import { commandOf, readModes, readOnOff, stateReport } from "./controller-messages.ts";
import { connectDevice, type DemoLogger, type DeviceLink } from "./device-link.ts";
import { signalStrength } from "./synthetic.ts";
import {
  type ChannelInput,
  type ChannelModel,
  closedChannel,
  reportedValve,
  step,
} from "./virtual-controller.ts";
import { addedAt, type Soak } from "./wetness.ts";

const TICK_MS = 250;
/** A channel reports at least this often. */
const REPORT_MS = 20_000;

/** A channel of a box as it was built. */
export interface BoxChannel {
  readonly channelNumber: number;
  readonly soak: Soak;
  /** Moisture that the channel's own probe reads without watering, %; absent where it has none. */
  readonly ownMoisture?: (now: number) => number;
  /** Moisture of the sensors on the channel, %, null where none is fresh; absent where none measures it. */
  readonly sensorMoisture?: () => number | null;
}

interface ValveBoxOptions {
  readonly url: string;
  readonly serial: number;
  readonly key: string;
  readonly fwversion: string;
  readonly channels: readonly BoxChannel[];
  readonly clock: Clock;
  readonly logger: DemoLogger;
}

/** A virtual controller on the broker. */
export interface ValveBox {
  /** What watering has added to the readings of a channel's sensors, in the unit of the soaked field. */
  addedTo(channelNumber: number): number;
  stop(): void;
}

/** One channel while it lives. */
interface LiveChannel {
  readonly built: BoxChannel;
  model: ChannelModel;
  modes: ChannelModes;
}

/** Connects a virtual controller: it obeys commands, waters by its modes, reports its channels, closes by itself. */
export function startValveBox(options: ValveBoxOptions): ValveBox {
  const { serial, clock, logger } = options;
  const moment = (): Moment => ({ now: clock.now(), monotonic: clock.monotonic() });
  const channels = new Map<number, LiveChannel>(
    options.channels.map((built) => {
      const hasMoisture = built.ownMoisture !== undefined || built.sensorMoisture !== undefined;
      const modes = untoldModes(moment(), hasMoisture);
      return [built.channelNumber, { built, model: closedChannel(moment()), modes }];
    }),
  );
  const reportedAt = new Map<number, number>();

  /** What the channel's own probe reads, %; undefined where it has none. */
  function probed({ built, model }: LiveChannel): number | undefined {
    const base = built.ownMoisture?.(clock.now());
    if (base === undefined) return undefined;
    const wet = Math.min(built.soak.ceiling, base + addedAt(built.soak, model.wetness, clock.monotonic()));
    return Math.round(wet * 100) / 100;
  }

  function report(channelNumber: number, channel: LiveChannel): void {
    const { now, monotonic } = moment();
    const moisture = probed(channel);
    const facts = {
      serial,
      fwversion: options.fwversion,
      rssi: signalStrength(serial, now),
      ...(moisture === undefined ? {} : { moisture }),
    };
    const payload = stateReport(facts, channel.model, channel.modes, now);
    const handedOver = link.publish(`ch/${channelNumber}/state`, payload, { retain: true });
    if (handedOver) reportedAt.set(channelNumber, monotonic);
  }

  function take(channelNumber: number, channel: LiveChannel, input: ChannelInput): void {
    const next = step(channel.built.soak, channel.model, input, moment());
    channel.model = next.channel;
    if (next.report) reportedAt.delete(channelNumber);
  }

  /** Lets the modes decide; while a person waters, they wait. */
  function water(channelNumber: number, channel: LiveChannel): void {
    const byHand = channel.modes.engine.run === null && reportedValve(channel.model.valve) === VALVE_ON;
    if (byHand) return;
    const moisture = probed(channel) ?? channel.built.sensorMoisture?.() ?? null;
    const before = channel.modes.settings;
    const { modes, action } = look(channel.modes, moisture, moment());
    channel.modes = modes;
    if (modes.settings !== before) reportedAt.delete(channelNumber);
    if (action.kind === "nothing") return;
    logger.info({ serial, channelNumber, ...action }, "demo controller waters by its mode");
    take(
      channelNumber,
      channel,
      action.kind === "open" ? { kind: "run", forMs: action.forMs } : { kind: "stop" },
    );
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
      const addressed = commandOf(serial, topic);
      if (addressed === null) return;
      const { channelNumber, name } = addressed;
      const channel = channels.get(channelNumber);
      if (channel === undefined) {
        logger.warn({ serial, channelNumber }, "demo controller has no such channel");
        return;
      }
      const read = name === "onoff" ? readOnOff(payload) : readModes(name, payload);
      if (!read.ok) {
        logger.warn({ serial, channelNumber, reason: read.reason }, "demo controller cannot read a command");
        return;
      }
      if ("kind" in read.command) {
        // These come several at once: the next tick reports them in one.
        channel.modes = told(channel.modes, read.command, moment());
        reportedAt.delete(channelNumber);
        return;
      }
      const before = channel.model;
      take(channelNumber, channel, { kind: "onoff", command: read.command });
      // An open that came late changes nothing, and takes nothing over.
      if (channel.model !== before) channel.modes = takenOver(channel.modes, moment());
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
    for (const [channelNumber, channel] of channels) {
      water(channelNumber, channel);
      take(channelNumber, channel, { kind: "tick" });
    }
    reportDue();
  }, TICK_MS);

  return {
    addedTo(channelNumber) {
      const channel = channels.get(channelNumber);
      return channel === undefined
        ? 0
        : addedAt(channel.built.soak, channel.model.wetness, clock.monotonic());
    },
    stop() {
      clearInterval(timer);
      link.stop();
    },
  };
}
