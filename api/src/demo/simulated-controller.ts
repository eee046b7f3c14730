import type { Clock } from "@mulkko/shared/rules/clock";
import { VALVE_ON } from "@mulkko/shared/rules/valve";
import type { Moment } from "../valves/modes/engine-state.ts";
import { afterCommand, type ChannelModes, look, takenOver, unconfiguredModes } from "./channel-modes.ts";
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

/** Fixed properties of a controller's channel. */
export interface SimulatedChannel {
  readonly channelNumber: number;
  readonly soak: Soak;
  /** Moisture of the channel's own probe without watering, %; absent where it has none. */
  readonly ownMoisture?: (now: number) => number;
  /** Moisture of the channel's sensors, %; null where none is recent, absent where none measures it. */
  readonly sensorMoisture?: () => number | null;
}

interface SimulatedControllerOptions {
  readonly url: string;
  readonly serial: number;
  readonly key: string;
  readonly fwversion: string;
  readonly channels: readonly SimulatedChannel[];
  readonly clock: Clock;
  readonly logger: DemoLogger;
}

/** A virtual controller connected to the broker. */
export interface SimulatedController {
  /** Return the rise that watering added to the channel's sensors, in the unit of the soaked field. */
  addedTo(channelNumber: number): number;
  stop(): void;
}

/** Runtime state of one channel. */
interface LiveChannel {
  readonly built: SimulatedChannel;
  model: ChannelModel;
  modes: ChannelModes;
}

/**
 * Connect a virtual controller. It obeys commands, waters by its modes, reports its channels and closes by
 * itself.
 */
export function startSimulatedController(options: SimulatedControllerOptions): SimulatedController {
  const { serial, clock, logger } = options;
  const moment = (): Moment => ({ now: clock.now(), monotonic: clock.monotonic() });
  const channels = new Map<number, LiveChannel>(
    options.channels.map((built) => {
      const hasMoisture = built.ownMoisture !== undefined || built.sensorMoisture !== undefined;
      const modes = unconfiguredModes(moment(), hasMoisture);
      return [built.channelNumber, { built, model: closedChannel(moment()), modes }];
    }),
  );
  const reportedAt = new Map<number, number>();

  /** Return the value of the channel's own probe, %; undefined where it has none. */
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

  function apply(channelNumber: number, channel: LiveChannel, input: ChannelInput): void {
    const next = step(channel.built.soak, channel.model, input, moment());
    channel.model = next.channel;
    if (next.report) reportedAt.delete(channelNumber);
  }

  /** Let the modes decide; they wait during manual watering. */
  function water(channelNumber: number, channel: LiveChannel): void {
    const byHand = channel.modes.engine.run === null && reportedValve(channel.model.valve) === VALVE_ON;
    if (byHand) return;
    const moisture = probed(channel) ?? channel.built.sensorMoisture?.() ?? null;
    const before = channel.modes.settings;
    const { modes, action } = look(channel.modes, moisture, moment());
    channel.modes = modes;
    if (modes.settings !== before) reportedAt.delete(channelNumber);
    if (action.kind === "nothing") return;
    logger.info(
      { event: "demo-mode-action", serial, channelNumber, ...action },
      "demo controller runs watering mode",
    );
    apply(
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
        logger.warn(
          { event: "demo-channel-unknown", serial, channelNumber },
          "demo controller lacks channel",
        );
        return;
      }
      if (name === "report") {
        reportedAt.delete(channelNumber);
        return;
      }
      const read = name === "onoff" ? readOnOff(payload) : readModes(name, payload);
      if (!read.ok) {
        logger.warn(
          { event: "demo-command-invalid", serial, channelNumber, reason: read.reason },
          "demo controller refused command",
        );
        return;
      }
      if ("kind" in read.command) {
        // Several arrive at once: the next tick reports them together.
        channel.modes = afterCommand(channel.modes, read.command, moment());
        reportedAt.delete(channelNumber);
        return;
      }
      const before = channel.model;
      apply(channelNumber, channel, { kind: "onoff", command: read.command });
      // A late open changes nothing and takes nothing over.
      if (channel.model !== before) channel.modes = takenOver(channel.modes, moment());
      reportDue();
    },
  });

  /** Report changes, reports that the broker has not accepted yet, and states last sent long ago. */
  function reportDue(): void {
    for (const [channelNumber, channel] of channels) {
      const last = reportedAt.get(channelNumber);
      if (last === undefined || clock.monotonic() - last >= REPORT_MS) report(channelNumber, channel);
    }
  }

  const timer = setInterval(() => {
    for (const [channelNumber, channel] of channels) {
      water(channelNumber, channel);
      apply(channelNumber, channel, { kind: "tick" });
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
