import { connect } from "mqtt";

/** Log for operators. */
export interface DemoLogger {
  info(facts: object, message: string): void;
  warn(facts: object, message: string): void;
}

/** Connection of one device to the broker. */
export interface DeviceLink {
  /**
   * Publish under `mulkko/{serial}/`, at least once. The message is dropped while the broker is unavailable
   * or has unacknowledged messages: a device does not queue.
   *
   * @returns true if it was passed to the broker
   */
  publish(topic: string, payload: object, options?: { retain: boolean }): boolean;
  /** End the connection; the broker announces the device as offline. */
  stop(): void;
}

interface LinkOptions {
  readonly url: string;
  readonly serial: number;
  /** The device's key: its password at the broker. */
  readonly key: string;
  readonly logger: DemoLogger;
  /** Called after every connection, the first and each later one. */
  readonly onConnect?: () => void;
  /** Called for each new command; a retained message is never a command. */
  readonly onCommand?: (topic: string, payload: string) => void;
}

const RECONNECT_MS = 2_000;
const MAX_UNACKNOWLEDGED = 6;

/** Connect a device like a real one: with serial and key, a last will, and a retained `status`. */
export function connectDevice(options: LinkOptions): DeviceLink {
  const { serial, logger, onCommand } = options;
  const base = `mulkko/${serial}`;
  let unacknowledged = 0;
  let complained = false;

  const client = connect(options.url, {
    clientId: `device-${serial}`,
    username: String(serial),
    password: options.key,
    // A persistent session would deliver outdated commands.
    clean: true,
    resubscribe: false,
    reconnectPeriod: RECONNECT_MS,
    reconnectOnConnackError: true,
    queueQoSZero: false,
    will: { topic: `${base}/status`, payload: Buffer.from("offline"), qos: 1, retain: true },
  });

  function complain(error: Error): void {
    if (complained) return;
    complained = true;
    logger.warn(
      { event: "demo-device-offline", serial, reason: error.message },
      "demo device cannot reach broker; retrying",
    );
  }

  function send(topic: string, payload: string, retain: boolean): boolean {
    if (!client.connected || unacknowledged >= MAX_UNACKNOWLEDGED) return false;
    unacknowledged += 1;
    client.publish(`${base}/${topic}`, payload, { qos: 1, retain }, (error) => {
      unacknowledged -= 1;
      if (error) complain(error);
    });
    return true;
  }

  client.on("error", complain);
  client.on("connect", () => {
    complained = false;
    send("status", "online", true);
    if (onCommand) {
      client.subscribe(`${base}/ch/+/cmd/+`, { qos: 1 }, (error) => {
        if (error) complain(error);
      });
    }
    options.onConnect?.();
  });
  if (onCommand) {
    client.on("message", (topic, payload, packet) => {
      if (!packet.retain) onCommand(topic, payload.toString("utf8"));
    });
  }

  return {
    publish: (topic, payload, { retain } = { retain: false }) => send(topic, JSON.stringify(payload), retain),
    stop() {
      // Without a DISCONNECT packet the broker sends the last will, even if it would never answer.
      client.end(true);
    },
  };
}
