import { MARKER_EVENT } from "@mulkko/shared/live/marker";
import { ServerMessage } from "@mulkko/shared/live/server-messages";
import { parse } from "@mulkko/shared/schema/parse";
import { io } from "socket.io-client";
import { WebSocket } from "ws";

type Named<T extends ServerMessage["t"]> = Extract<ServerMessage, { t: T }>;

/** A client of either transport that sends what a test sets, and records what it receives. */
export interface LiveClient {
  readonly received: readonly ServerMessage[];
  /** Bytes of each message, parallel to `received`. */
  readonly sizes: readonly number[];
  say(message: unknown): void;
  /** Send text unchanged, as far as the transport allows. */
  sayText(text: string): void;
  /** Wait for the next message of the kind that no earlier call has returned. */
  next<T extends ServerMessage["t"]>(t: T): Promise<Named<T>>;
  /** Resolves when the connection has closed, with the code of `bye` if there was one. */
  readonly gone: Promise<number | null>;
  /** Leave markers unanswered from now on. */
  holdMarkers(): void;
  /** Answer all held markers, and later ones at once. */
  releaseMarkers(): void;
  readonly heldMarkers: number;
  leave(): void;
}

/**
 * Connect to a transport at an origin such as `http://127.0.0.1:4567`; reject if the connection is refused.
 */
export type Connect = (origin: string, headers?: Readonly<Record<string, string>>) => Promise<LiveClient>;

interface Inbox {
  receive(value: unknown, bytes: number): void;
  marker(answer: () => void): void;
  close(): void;
  readonly client: Omit<LiveClient, "say" | "sayText" | "leave">;
}

function createInbox(): Inbox {
  const received: ServerMessage[] = [];
  const sizes: number[] = [];
  const taken = new Set<ServerMessage>();
  let waiting: (() => void)[] = [];
  let held: (() => void)[] | null = null;
  const { promise: gone, resolve: end } = Promise.withResolvers<number | null>();
  const wake = (): void => {
    for (const resume of waiting) resume();
    waiting = [];
  };
  const isNamed = <T extends ServerMessage["t"]>(message: ServerMessage, t: T): message is Named<T> =>
    message.t === t;
  return {
    receive(value, bytes) {
      const parsed = parse(ServerMessage, value);
      if (!parsed.ok)
        throw new Error(`not a message: ${parsed.path} ${parsed.message} ${JSON.stringify(value)}`);
      received.push(parsed.value);
      sizes.push(bytes);
      wake();
    },
    marker(answer) {
      if (held) held.push(answer);
      else answer();
      wake();
    },
    close() {
      const bye = received.find((message) => isNamed(message, "bye"));
      end(bye && isNamed(bye, "bye") ? bye.code : null);
    },
    client: {
      received,
      sizes,
      gone,
      async next(t) {
        for (;;) {
          for (const message of received) {
            if (taken.has(message) || !isNamed(message, t)) continue;
            taken.add(message);
            return message;
          }
          await new Promise<void>((resolve) => {
            waiting.push(resolve);
          });
        }
      },
      holdMarkers() {
        held ??= [];
      },
      releaseMarkers() {
        const answers = held ?? [];
        held = null;
        for (const answer of answers) answer();
      },
      get heldMarkers() {
        return held?.length ?? 0;
      },
    },
  };
}

const withMethods = (inbox: Inbox, methods: Pick<LiveClient, "say" | "sayText" | "leave">): LiveClient =>
  // The inbox has getters, which a spread would read once.
  Object.assign(Object.create(inbox.client, {}), methods);

/** Connect to the WebSocket transport. */
export const connectWebSocket: Connect = (origin, headers = {}) => {
  const inbox = createInbox();
  const socket = new WebSocket(`${origin.replace("http", "ws")}/live`, { headers, autoPong: false });
  const { promise, resolve, reject } = Promise.withResolvers<LiveClient>();
  socket.on("message", (data) => {
    const text = data.toString();
    inbox.receive(JSON.parse(text), Buffer.byteLength(text));
  });
  socket.on("ping", (data) => inbox.marker(() => socket.pong(data)));
  socket.on("close", () => inbox.close());
  socket.on("error", reject);
  socket.on("open", () =>
    resolve(
      withMethods(inbox, {
        say: (message) => socket.send(JSON.stringify(message)),
        sayText: (text) => socket.send(text),
        leave: () => socket.close(),
      }),
    ),
  );
  return promise;
};

function connectBySocketIo(
  transport: "websocket" | "polling",
  origin: string,
  headers: Readonly<Record<string, string>>,
): Promise<LiveClient> {
  const inbox = createInbox();
  const socket = io(origin, {
    transports: [transport],
    reconnection: false,
    forceNew: true,
    extraHeaders: headers,
  });
  const { promise, resolve, reject } = Promise.withResolvers<LiveClient>();
  const say = (message: unknown): void => {
    const named = typeof message === "object" && message !== null && "t" in message ? message.t : "message";
    socket.emit(typeof named === "string" && named !== "" ? named : "message", message);
  };
  socket.onAny((event: string, ...parameters: unknown[]) => {
    if (event !== MARKER_EVENT) {
      inbox.receive(parameters[0], Buffer.byteLength(JSON.stringify(parameters[0])));
      return;
    }
    const answer = parameters[0];
    if (typeof answer === "function") inbox.marker(() => answer());
  });
  socket.on("disconnect", () => inbox.close());
  socket.on("connect_error", reject);
  socket.on("connect", () =>
    resolve(
      withMethods(inbox, {
        say,
        sayText(text) {
          try {
            say(JSON.parse(text));
          } catch {
            socket.emit("message", text);
          }
        },
        leave: () => socket.disconnect(),
      }),
    ),
  );
  return promise;
}

/** Connect to the Socket.IO transport. */
export const connectSocketIo: Connect = (origin, headers = {}) =>
  connectBySocketIo("websocket", origin, headers);

/** Connect to the Socket.IO transport from a network that blocks WebSockets. */
export const connectPolling: Connect = (origin, headers = {}) =>
  connectBySocketIo("polling", origin, headers);
