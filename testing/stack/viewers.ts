import { PROTOCOL } from "@mulkko/shared/live/limits";
import { relayPath } from "@mulkko/shared/rest/routes";
import { WebSocket } from "ws";

/** Number of connections that are opened at the same time. */
const AT_ONCE = 25;
/** A relay accepts 500 connections of one address; this machine has a whole network of its own. */
const PER_ADDRESS = 400;

/** Many viewers of everything of one account, each with a WebSocket of their own. */
export interface Viewers {
  /**
   * Count from now on the viewers that are sent a text, anywhere in a frame; return a function for the count.
   */
  countWhoSees(text: string): () => number;
  /** Number of viewers whose connection has ended. */
  gone(): number;
  close(): void;
}

/**
 * Open this many, in turn at the named relays; resolve when each of them has its snapshot.
 *
 * @throws Error with the relay's answer if one is refused
 */
export async function openViewers(urls: readonly string[], count: number, token: string): Promise<Viewers> {
  const sockets: WebSocket[] = [];
  let wanted: { readonly text: string; readonly seenBy: Set<number> } | undefined;
  let gone = 0;
  const open = (index: number): Promise<void> => {
    const url = (urls[index % urls.length] ?? "").replace(/^http/, "ws") + relayPath.webSocket;
    const localAddress = `127.0.1.${1 + Math.floor(index / PER_ADDRESS)}`;
    const socket = new WebSocket(url, { localAddress, perMessageDeflate: false });
    sockets.push(socket);
    return new Promise((resolve, reject) => {
      socket.on("open", () => {
        socket.send(JSON.stringify({ t: "hello", protocol: PROTOCOL, token }));
        socket.send(JSON.stringify({ t: "subscribe", stream: "devices" }));
      });
      socket.on("message", (data) => {
        const text = data.toString();
        if (wanted && text.includes(wanted.text)) wanted.seenBy.add(index);
        if (text.startsWith('{"t":"error"')) reject(new Error(`viewer ${index} received ${text}`));
        if (text.startsWith('{"t":"snapshot"')) resolve();
      });
      socket.on("error", reject);
      socket.on("close", (code) => {
        gone += 1;
        reject(new Error(`viewer ${index} was closed with ${code}`));
      });
    });
  };
  for (let from = 0; from < count; from += AT_ONCE) {
    const size = Math.min(AT_ONCE, count - from);
    await Promise.all(Array.from({ length: size }, (_, index) => open(from + index)));
  }
  return {
    countWhoSees(text) {
      const seenBy = new Set<number>();
      wanted = { text, seenBy };
      return () => seenBy.size;
    },
    gone: () => gone,
    close() {
      for (const socket of sockets) socket.terminate();
    },
  };
}
