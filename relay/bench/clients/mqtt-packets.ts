import { topic } from "@mulkko/shared/mqtt/topics";

const CONNACK = 2;
const PUBLISH = 3;
const SUBACK = 9;

const text = (value: string): Buffer => {
  const bytes = Buffer.from(value);
  const length = Buffer.alloc(2);
  length.writeUInt16BE(bytes.length);
  return Buffer.concat([length, bytes]);
};
/**
 * Build a packet.
 * @param body of fewer than 128 bytes, so that its length is one byte
 */
const packet = (head: number, body: Buffer): Buffer =>
  Buffer.concat([Buffer.from([head, body.length]), body]);

/** MQTT 3.1.1, a clean session without a client id, no keep-alive. */
export const CONNECT = packet(0x10, Buffer.concat([text("MQTT"), Buffer.from([4, 2, 0, 0]), text("")]));
/** A subscription to all topics of the API, QoS 0. */
export const SUBSCRIBE_ALL = packet(
  0x82,
  Buffer.concat([Buffer.from([0, 1]), text(topic.outAll), Buffer.from([0])]),
);

interface Handlers {
  connected(): void;
  subscribed(): void;
  publication(packet: Buffer): void;
}

/** Report the packets in one WebSocket message; Mosquitto sends whole packets in each. */
export function countPublications(data: Buffer, on: Handlers): void {
  let at = 0;
  while (at < data.length) {
    const kind = data.readUInt8(at) >> 4;
    let length = 0;
    let head = 1;
    for (let shift = 0; ; shift += 7) {
      const byte = data.readUInt8(at + head);
      head += 1;
      length |= (byte & 0x7f) << shift;
      if (byte < 0x80) break;
    }
    const end = at + head + length;
    if (kind === PUBLISH) on.publication(data.subarray(at, end));
    else if (kind === CONNACK) on.connected();
    else if (kind === SUBACK) on.subscribed();
    at = end;
  }
}
