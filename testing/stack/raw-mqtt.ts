import { once } from "node:events";
import { connect, type Socket } from "node:net";

/** Credentials at the broker. */
export interface RawUser {
  readonly username: string;
  readonly password: string;
}

const CONNECT = 0x10;
const PUBLISH = 0x30;
const SUBSCRIBE = 0x82;
const CLEAN = 0x02;
const WITH_WILL = 0x04;
const WITH_USER = 0xc0;

function text(value: string | Uint8Array): Buffer {
  const bytes = Buffer.from(value);
  return Buffer.concat([Buffer.of(bytes.length >> 8, bytes.length & 255), bytes]);
}

function packet(head: number, ...parts: readonly Uint8Array[]): Buffer {
  const body = Buffer.concat(parts);
  const length: number[] = [];
  let rest = body.length;
  do {
    length.push((rest % 128) | (rest >= 128 ? 128 : 0));
    rest = Math.floor(rest / 128);
  } while (rest > 0);
  return Buffer.concat([Buffer.of(head, ...length), body]);
}

/** MQTT 3.1.1 packets as bytes, for packets that no client library sends. */
export const raw = {
  connect: ({ username, password }: RawUser, clientId: string, will?: { topic: string; payload: string }) =>
    packet(
      CONNECT,
      text("MQTT"),
      Buffer.of(4, CLEAN | WITH_USER | (will ? WITH_WILL : 0), 0, 0),
      text(clientId),
      ...(will ? [text(will.topic), text(will.payload)] : []),
      text(username),
      text(password),
    ),
  /** QoS 0 without an id, QoS 1 with one. */
  publish: (topic: string, payload: string | Uint8Array, id?: number) =>
    packet(
      id === undefined ? PUBLISH : PUBLISH | 2,
      text(topic),
      ...(id === undefined ? [] : [Buffer.of(id >> 8, id & 255)]),
      Buffer.from(payload),
    ),
  subscribe: (filters: readonly string[], id = 1) =>
    packet(
      SUBSCRIBE,
      Buffer.of(id >> 8, id & 255),
      ...filters.flatMap((filter) => [text(filter), Buffer.of(0)]),
    ),
} as const;

/** Open a socket that connects to the broker and then follows the test; connection errors end it quietly. */
export async function openRaw(port: number, hello: Uint8Array): Promise<Socket> {
  const socket = connect(port, "127.0.0.1");
  socket.on("error", () => undefined);
  const closed = new Promise<void>((resolve) => socket.once("close", () => resolve()));
  await Promise.race([once(socket, "connect"), closed]);
  if (socket.destroyed) return socket;
  socket.write(hello);
  await Promise.race([once(socket, "data"), closed]);
  return socket;
}
