import { PROTOCOL } from "@mulkko/shared/live/limits";
import { ServerMessage } from "@mulkko/shared/live/server-messages";
import { relayPath } from "@mulkko/shared/rest/routes";
import { parseJson } from "@mulkko/shared/schema/parse";
import { WebSocket } from "ws";

/** A machine at the plain door: what it heard, in order, every frame checked against the contract. */
export interface PlainDoor {
  readonly heard: readonly ServerMessage[];
  send(message: object | string): void;
  /** The first message, heard already or still to come, that fits. */
  waitFor(fits: (message: ServerMessage) => boolean, timeoutMs?: number): Promise<ServerMessage>;
  /** Every message from now on. */
  listen(listener: (message: ServerMessage) => void): void;
  /** The close code, once it is closed. */
  closed: Promise<number>;
  close(): void;
}

/** Connects, and says hello where a token is given. */
export async function openPlainDoor(url: string, token?: string): Promise<PlainDoor> {
  const socket = new WebSocket(url.replace(/^http/, "ws") + relayPath.webSocket);
  const heard: ServerMessage[] = [];
  const waiting = new Set<(message: ServerMessage) => void>();
  const closed = new Promise<number>((resolve) => socket.once("close", resolve));
  socket.on("message", (raw) => {
    const message = parseJson(ServerMessage, raw.toString());
    if (!message.ok)
      throw new Error(`a frame breaks the contract: ${message.path} ${message.message}: ${raw}`);
    heard.push(message.value);
    for (const listener of [...waiting]) listener(message.value);
  });
  await new Promise<void>((resolve, reject) => {
    socket.once("open", () => resolve());
    socket.once("error", reject);
  });
  const door: PlainDoor = {
    heard,
    closed,
    send: (message) => socket.send(typeof message === "string" ? message : JSON.stringify(message)),
    close: () => socket.close(),
    listen: (listener) => void waiting.add(listener),
    waitFor(fits, timeoutMs = 30_000) {
      const known = heard.find(fits);
      if (known) return Promise.resolve(known);
      return new Promise((resolve, reject) => {
        const timer = setTimeout(() => {
          waiting.delete(listener);
          reject(new Error(`waited in vain; heard ${JSON.stringify(heard.slice(-5)).slice(0, 2_000)}`));
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
    door.send({ t: "hello", protocol: PROTOCOL, token });
    await door.waitFor((message) => message.t === "welcome");
  }
  return door;
}
