import { PROTOCOL } from "@mulkko/shared/live/limits";
import { ServerMessage } from "@mulkko/shared/live/server-messages";
import { relayPath } from "@mulkko/shared/rest/routes";
import { parseJson } from "@mulkko/shared/schema/parse";
import { WebSocket } from "ws";

/** A machine at the plain door that looks at one key of `devices`. */
export interface ChangeListener {
  /** `change` frames so far, whatever key they bring. */
  readonly frames: number;
  /** Frames that did not begin where the one before had ended. */
  readonly gaps: number;
  close(): void;
}

/**
 * Says hello, subscribes everything, and resolves when the snapshot is whole.
 *
 * @param onReading told the `at` of each reading of the key that a frame brings
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
  socket.on("close", () => reject(new Error("the plain door closed")));
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
