import { PROTOCOL } from "@mulkko/shared/live/limits";
import { ServerMessage } from "@mulkko/shared/live/server-messages";
import { relayPath } from "@mulkko/shared/rest/routes";
import { parseJson } from "@mulkko/shared/schema/parse";
import { WebSocket } from "ws";

/**
 * A program at the plain WebSocket: its received messages, in order, every frame checked against the
 * contract.
 */
export interface PlainWebSocket {
  readonly received: readonly ServerMessage[];
  send(message: object | string): void;
  /** Return the first matching message, received already or later. */
  waitFor(fits: (message: ServerMessage) => boolean, timeoutMs?: number): Promise<ServerMessage>;
  /** Call back for every message from now on. */
  listen(listener: (message: ServerMessage) => void): void;
  /** The close code, once it is closed. */
  closed: Promise<number>;
  close(): void;
}

/** Connect, and send hello if a token is given. */
export async function openPlainWebSocket(url: string, token?: string): Promise<PlainWebSocket> {
  const socket = new WebSocket(url.replace(/^http/, "ws") + relayPath.webSocket);
  const received: ServerMessage[] = [];
  const waiting = new Set<(message: ServerMessage) => void>();
  const closed = new Promise<number>((resolve) => socket.once("close", resolve));
  socket.on("message", (raw) => {
    const message = parseJson(ServerMessage, raw.toString());
    if (!message.ok)
      throw new Error(`a frame breaks the contract: ${message.path} ${message.message}: ${raw}`);
    received.push(message.value);
    for (const listener of [...waiting]) listener(message.value);
  });
  await new Promise<void>((resolve, reject) => {
    socket.once("open", () => resolve());
    socket.once("error", reject);
  });
  const webSocket: PlainWebSocket = {
    received,
    closed,
    send: (message) => socket.send(typeof message === "string" ? message : JSON.stringify(message)),
    close: () => socket.close(),
    listen: (listener) => void waiting.add(listener),
    waitFor(fits, timeoutMs = 30_000) {
      const known = received.find(fits);
      if (known) return Promise.resolve(known);
      return new Promise((resolve, reject) => {
        const timer = setTimeout(() => {
          waiting.delete(listener);
          reject(new Error(`waited in vain; received ${JSON.stringify(received.slice(-5)).slice(0, 2_000)}`));
        }, timeoutMs);
        const listener = (message: ServerMessage): void => {
          if (!fits(message)) return;
          waiting.delete(listener);
          clearTimeout(timer);
          resolve(message);
        };
        waiting.add(listener);
      });
    },
  };
  if (token !== undefined) {
    webSocket.send({ t: "hello", protocol: PROTOCOL, token });
    await webSocket.waitFor((message) => message.t === "welcome");
  }
  return webSocket;
}
