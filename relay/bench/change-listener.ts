import { PROTOCOL } from "@mulkko/shared/live/limits";
import { ServerMessage } from "@mulkko/shared/live/server-messages";
import { relayPath } from "@mulkko/shared/rest/routes";
import { parseJson } from "@mulkko/shared/schema/parse";
import { WebSocket } from "ws";

/** A client of the WebSocket transport that reads one key of `devices`. */
export interface ChangeListener {
  /** Number of `change` frames so far, for any key. */
  readonly frames: number;
  /** Number of frames that did not continue the one before. */
  readonly gaps: number;
  close(): void;
}

/**
 * Connect, subscribe to everything, and resolve when the snapshot is complete.
 * @param onReading called with the `at` of each reading of the key in a frame
 */
export async function listenForChanges(
  url: string,
  token: string,
  key: string,
  onReading: (at: string) => void,
): Promise<ChangeListener> {
  const socket = new WebSocket(url.replace(/^http/, "ws") + relayPath.webSocket, {
    perMessageDeflate: false,
  });
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  let frames = 0;
  let gaps = 0;
  let offset: number | undefined;
  socket.on("error", reject);
  socket.on("close", () => reject(new Error("the WebSocket transport closed")));
  socket.on("open", () => {
    socket.send(JSON.stringify({ t: "hello", protocol: PROTOCOL, token }));
    socket.send(JSON.stringify({ t: "subscribe", stream: "devices" }));
  });
  socket.on("message", (data) => {
    const text = data.toString();
    const parsed = parseJson(ServerMessage, text);
    if (!parsed.ok) throw new Error(`no message of the protocol: ${parsed.path} ${parsed.message}`);
    const message = parsed.value;
    if (message.t === "snapshot" && message.part === message.of) {
      offset = message.offset;
      resolve();
    }
    if (message.t !== "change") return;
    frames += 1;
    if (message.from !== offset) gaps += 1;
    offset = message.offset;
    const at = (message.set?.[key] ?? message.patch?.[key])?.at;
    if (typeof at === "string") onReading(at);
  });
  await promise;
  return {
    get frames() {
      return frames;
    },
    get gaps() {
      return gaps;
    },
    close: () => socket.terminate(),
  };
}
