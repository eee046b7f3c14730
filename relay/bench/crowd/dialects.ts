import type { Position } from "@mulkko/shared/live/client-messages";
import { PROTOCOL } from "@mulkko/shared/live/limits";
import { relayPath } from "@mulkko/shared/rest/routes";
import { OPCODE } from "./frames.ts";
import { CONNECT, countPublications, SUBSCRIBE_ALL } from "./mqtt-packets.ts";

/** One client of the crowd, as its dialect sees it. */
export interface Speaker {
  readonly token: string;
  /** Where it stood when it was cut off, to resume from. */
  position: Position | undefined;
  say(opcode: number, payload: Buffer | string): void;
  /** It is up to date: frames are counted from now on. `resumed`: from where it stood, without a snapshot. */
  ready(how?: "resumed"): void;
  /** One message of the kind that is counted. */
  took(body: Buffer): void;
}

/** How clients talk to one kind of server. */
export interface Dialect {
  readonly path: string;
  readonly subprotocol?: string;
  /** The connection has been upgraded. */
  opened(speaker: Speaker): void;
  take(speaker: Speaker, opcode: number, payload: Buffer): void;
}

const CHANGE = Buffer.from('{"t":"change"');
const HEAD = 160;

/** Where a `change` or a finished catch-up leaves its reader; its head says so before anything long. */
function notePosition(speaker: Speaker, head: string): void {
  const epoch = /"epoch":"([^"]+)"/.exec(head)?.[1] ?? speaker.position?.epoch;
  const offset = /"offset":(\d+)/.exec(head)?.[1];
  if (epoch !== undefined && offset !== undefined) speaker.position = { epoch, offset: Number(offset) };
}

function takeMessage(speaker: Speaker, body: Buffer): void {
  const head = body.toString("latin1", 0, HEAD);
  if (body.subarray(0, CHANGE.length).equals(CHANGE)) {
    notePosition(speaker, head);
    speaker.took(body);
    return;
  }
  const t = /^\{"t":"(\w+)"/.exec(head)?.[1];
  if (t === "bye" || t === "error") throw new Error(`a session of the crowd got ${body.toString()}`);
  const part = /"part":(\d+),"of":(\d+)/.exec(head);
  if (t !== "resumed" && (t !== "snapshot" || part?.[1] !== part?.[2])) return;
  notePosition(speaker, head);
  speaker.ready(t === "resumed" ? t : undefined);
}

const hello = ({ token }: Speaker) => ({ t: "hello", protocol: PROTOCOL, token });
const subscribe = ({ position }: Speaker) => ({
  t: "subscribe",
  stream: "devices",
  ...(position && { position }),
});

const answerPing = (speaker: Speaker, opcode: number, payload: Buffer): void => {
  if (opcode === OPCODE.ping) speaker.say(OPCODE.pong, payload);
};

/** The relay's plain door. */
const plainDoor: Dialect = {
  path: relayPath.webSocket,
  opened(speaker) {
    speaker.say(OPCODE.text, JSON.stringify(hello(speaker)));
    speaker.say(OPCODE.text, JSON.stringify(subscribe(speaker)));
  },
  take(speaker, opcode, payload) {
    if (opcode === OPCODE.text) takeMessage(speaker, payload);
    else answerPing(speaker, opcode, payload);
  },
};

/** A bare `ws` server, which sends and asks nothing. */
const bareWs: Dialect = {
  path: "/",
  opened: (speaker) => speaker.ready(),
  take(speaker, opcode, payload) {
    if (opcode === OPCODE.text) speaker.took(payload);
    else answerPing(speaker, opcode, payload);
  },
};

/** Engine.IO and Socket.IO packets: `0` open, `40` connect, `2` ping, `42` event, `42<id>` event to acknowledge. */
function socketIo(onConnect: (speaker: Speaker) => void, onEvent: Dialect["take"]): Dialect {
  return {
    path: `${relayPath.socketIo}?EIO=4&transport=websocket`,
    opened: () => undefined,
    take(speaker, opcode, payload) {
      if (opcode !== OPCODE.text) return;
      const head = payload.toString("latin1", 0, 24);
      const ack = /^42(\d+)\[/.exec(head)?.[1];
      if (ack !== undefined) speaker.say(OPCODE.text, `43${ack}[]`);
      else if (head.startsWith("42[")) onEvent(speaker, opcode, payload);
      else if (head.startsWith("40")) onConnect(speaker);
      else if (head.startsWith("0")) speaker.say(OPCODE.text, "40");
      else if (head === "2") speaker.say(OPCODE.text, "3");
    },
  };
}

const socketIoDoor = socketIo(
  (speaker) => {
    speaker.say(OPCODE.text, `42${JSON.stringify(["hello", hello(speaker)])}`);
    speaker.say(OPCODE.text, `42${JSON.stringify(["subscribe", subscribe(speaker)])}`);
  },
  // `42["change",{…}]`
  (speaker, _opcode, payload) => takeMessage(speaker, payload.subarray(payload.indexOf(",") + 1, -1)),
);

const plainSocketIo = socketIo(
  (speaker) => speaker.ready(),
  (speaker, _opcode, payload) => speaker.took(payload),
);

/** MQTT within WebSocket frames, as Mosquitto's listener speaks it. */
const mqtt: Dialect = {
  path: "/mqtt",
  subprotocol: "mqtt",
  opened: (speaker) => speaker.say(OPCODE.binary, CONNECT),
  take(speaker, opcode, payload) {
    if (opcode !== OPCODE.binary) return answerPing(speaker, opcode, payload);
    countPublications(payload, {
      connected: () => speaker.say(OPCODE.binary, SUBSCRIBE_ALL),
      subscribed: () => speaker.ready(),
      publication: (body) => speaker.took(body),
    });
  },
};

export const DIALECTS = {
  "plain door": plainDoor,
  "Socket.IO door": socketIoDoor,
  "bare ws": bareWs,
  "plain Socket.IO": plainSocketIo,
  "Mosquitto WebSocket": mqtt,
} as const;
export type DialectName = keyof typeof DIALECTS;
export const isDialect = (name: string | undefined): name is DialectName =>
  name !== undefined && Object.hasOwn(DIALECTS, name);
