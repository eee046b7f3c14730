import type { Position } from "@mulkko/shared/live/client-messages";
import { PROTOCOL } from "@mulkko/shared/live/limits";
import { relayPath } from "@mulkko/shared/rest/routes";
import { OPCODE } from "./frames.ts";
import { CONNECT, countPublications, SUBSCRIBE_ALL } from "./mqtt-packets.ts";

/** One client of the load generator, as its protocol sees it. */
export interface ProtocolClient {
  readonly token: string;
  /** Its position when it was disconnected, to resume from. */
  position: Position | undefined;
  say(opcode: number, payload: Buffer | string): void;
  /**
   * Note that it is up to date: frames are counted from now on. `resumed`: from its position, without a
   * snapshot.
   */
  ready(how?: "resumed"): void;
  /** Note a message of the counted kind. */
  received(body: Buffer): void;
}

/** The protocol of clients with one kind of server. */
export interface Protocol {
  readonly path: string;
  readonly subprotocol?: string;
  /** Handle the upgrade of the connection. */
  opened(client: ProtocolClient): void;
  handle(client: ProtocolClient, opcode: number, payload: Buffer): void;
}

const CHANGE = Buffer.from('{"t":"change"');
const HEAD = 160;

/** Note the position after a `change` or a finished catch-up; it is at the beginning of the message. */
function notePosition(client: ProtocolClient, head: string): void {
  const epoch = /"epoch":"([^"]+)"/.exec(head)?.[1] ?? client.position?.epoch;
  const offset = /"offset":(\d+)/.exec(head)?.[1];
  if (epoch !== undefined && offset !== undefined) client.position = { epoch, offset: Number(offset) };
}

function takeMessage(client: ProtocolClient, body: Buffer): void {
  const head = body.toString("latin1", 0, HEAD);
  if (body.subarray(0, CHANGE.length).equals(CHANGE)) {
    notePosition(client, head);
    client.received(body);
    return;
  }
  const t = /^\{"t":"(\w+)"/.exec(head)?.[1];
  if (t === "bye" || t === "error") throw new Error(`a session of the load generator got ${body.toString()}`);
  const part = /"part":(\d+),"of":(\d+)/.exec(head);
  if (t !== "resumed" && (t !== "snapshot" || part?.[1] !== part?.[2])) return;
  notePosition(client, head);
  client.ready(t === "resumed" ? t : undefined);
}

const hello = ({ token }: ProtocolClient) => ({ t: "hello", protocol: PROTOCOL, token });
const subscribe = ({ position }: ProtocolClient) => ({
  t: "subscribe",
  stream: "devices",
  ...(position && { position }),
});

const answerPing = (client: ProtocolClient, opcode: number, payload: Buffer): void => {
  if (opcode === OPCODE.ping) client.say(OPCODE.pong, payload);
};

/** The relay's WebSocket transport. */
const plainWebSocket: Protocol = {
  path: relayPath.webSocket,
  opened(client) {
    client.say(OPCODE.text, JSON.stringify(hello(client)));
    client.say(OPCODE.text, JSON.stringify(subscribe(client)));
  },
  handle(client, opcode, payload) {
    if (opcode === OPCODE.text) takeMessage(client, payload);
    else answerPing(client, opcode, payload);
  },
};

/** A bare `ws` server, which neither sends nor expects anything at first. */
const bareWs: Protocol = {
  path: "/",
  opened: (client) => client.ready(),
  handle(client, opcode, payload) {
    if (opcode === OPCODE.text) client.received(payload);
    else answerPing(client, opcode, payload);
  },
};

/**
 * Engine.IO and Socket.IO packets: `0` open, `40` connect, `2` ping, `42` event, `42<id>` event to
 * acknowledge.
 */
function socketIo(onConnect: (client: ProtocolClient) => void, onEvent: Protocol["handle"]): Protocol {
  return {
    path: `${relayPath.socketIo}?EIO=4&transport=websocket`,
    opened: () => undefined,
    handle(client, opcode, payload) {
      if (opcode !== OPCODE.text) return;
      const head = payload.toString("latin1", 0, 24);
      const ack = /^42(\d+)\[/.exec(head)?.[1];
      if (ack !== undefined) client.say(OPCODE.text, `43${ack}[]`);
      else if (head.startsWith("42[")) onEvent(client, opcode, payload);
      else if (head.startsWith("40")) onConnect(client);
      else if (head.startsWith("0")) client.say(OPCODE.text, "40");
      else if (head === "2") client.say(OPCODE.text, "3");
    },
  };
}

const socketIoTransport = socketIo(
  (client) => {
    client.say(OPCODE.text, `42${JSON.stringify(["hello", hello(client)])}`);
    client.say(OPCODE.text, `42${JSON.stringify(["subscribe", subscribe(client)])}`);
  },
  // `42["change",{…}]`
  (client, _opcode, payload) => takeMessage(client, payload.subarray(payload.indexOf(",") + 1, -1)),
);

const plainSocketIo = socketIo(
  (client) => client.ready(),
  (client, _opcode, payload) => client.received(payload),
);

/** MQTT within WebSocket frames, as Mosquitto's listener uses it. */
const mqtt: Protocol = {
  path: "/mqtt",
  subprotocol: "mqtt",
  opened: (client) => client.say(OPCODE.binary, CONNECT),
  handle(client, opcode, payload) {
    if (opcode !== OPCODE.binary) return answerPing(client, opcode, payload);
    countPublications(payload, {
      connected: () => client.say(OPCODE.binary, SUBSCRIBE_ALL),
      subscribed: () => client.ready(),
      publication: (body) => client.received(body),
    });
  },
};

export const PROTOCOLS = {
  "WebSocket transport": plainWebSocket,
  "Socket.IO transport": socketIoTransport,
  "bare ws": bareWs,
  "plain Socket.IO": plainSocketIo,
  "Mosquitto WebSocket": mqtt,
} as const;
export type ProtocolName = keyof typeof PROTOCOLS;
export const isProtocol = (name: string | undefined): name is ProtocolName =>
  name !== undefined && Object.hasOwn(PROTOCOLS, name);
