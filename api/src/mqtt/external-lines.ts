import type { FastifyBaseLogger } from "fastify";
import type { IPublishPacket, MqttClient } from "mqtt";
import type { HandleMessage } from "../devices/broker.ts";
import { createWindow, type Line, type Window } from "./window.ts";

const PUBACK_HEAD = 0x4002;
const PUBACK_BYTES = 4;

/**
 * MQTT.js acknowledges a message when it is called back without an error, and takes the next one either way.
 */
const NOT_YET = new Error("acknowledged once it is stored");

/** Dependencies for reading a session of an external broker. */
export interface Reader {
  readonly client: MqttClient;
  readonly name: string;
  readonly handle: HandleMessage;
  readonly logger: FastifyBaseLogger;
}

/** Encode the acknowledgements of these messages. */
function pubacks(ids: readonly number[]): Buffer {
  const bytes = Buffer.alloc(ids.length * PUBACK_BYTES);
  for (const [index, id] of ids.entries()) {
    bytes.writeUInt16BE(PUBACK_HEAD, index * PUBACK_BYTES);
    bytes.writeUInt16BE(id, index * PUBACK_BYTES + 2);
  }
  return bytes;
}

/** Return a function for the current connection of the session. */
function linesOf({ client, name, logger }: Reader): () => Line {
  let count = 0;
  let stream: MqttClient["stream"] | undefined;
  let line: Line | undefined;
  return () => {
    if (line && client.stream === stream) return line;
    const own = client.stream;
    count += 1;
    stream = own;
    line = {
      name: `${name}#${count}`,
      isOpen: () => !own.destroyed,
      acknowledge: (ids) => void own.write(pubacks(ids)),
      breakOff(error, topic) {
        // Not acknowledged: the broker sends it again after the client reconnects.
        logger.debug(
          { event: "mqtt-message-refused", err: error, topic },
          "refused message; the broker will send it again",
        );
        own.destroy();
      },
    };
    return line;
  };
}

const bytesOf = ({ payload }: IPublishPacket): Uint8Array =>
  typeof payload === "string" ? Buffer.from(payload) : payload;

/** Acknowledge each message before taking the next one, so that their order is kept. */
export function handleOneByOne(reader: Reader): void {
  const lineNow = linesOf(reader);
  reader.client.handleMessage = (packet, done) => {
    const { topic, dup, retain } = packet;
    const line = lineNow();
    const connection = line.name;
    reader.handle({ topic, payload: bytesOf(packet), duplicate: dup, retained: retain, connection }).then(
      () => done(),
      (error: unknown) => line.breakOff(error, topic),
    );
  };
}

/** Take many messages at once, so that they are stored together; they may overtake each other. */
export function handleMany(reader: Reader): Window {
  const lineNow = linesOf(reader);
  const window = createWindow(reader.handle);
  reader.client.handleMessage = (packet, done) => {
    const { topic, dup: duplicate, retain: retained, messageId: id = null } = packet;
    window.arrived(lineNow(), { id, topic, payload: bytesOf(packet), duplicate, retained }, () =>
      done(NOT_YET),
    );
  };
  return window;
}
