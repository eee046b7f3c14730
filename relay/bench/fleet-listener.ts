import { PROTOCOL } from "@mulkko/shared/live/limits";
import { ServerMessage } from "@mulkko/shared/live/server-messages";
import { relayPath } from "@mulkko/shared/rest/routes";
import { parseJson } from "@mulkko/shared/schema/parse";
import { machineMs } from "@mulkko/testing/bench/figures";
import { WebSocket } from "ws";

/** An administrator's client of the WebSocket transport that reads the fleet. */
export interface FleetListener {
  /** Number of devices in the snapshot. */
  readonly devices: number;
  /** Number of `change` frames so far, and their bytes. */
  readonly frames: number;
  readonly bytes: number;
  close(): void;
}

/**
 * Connect, subscribe to the fleet, and resolve when the snapshot is complete.
 * @param onBack called with each device that a frame brings online, and the frame's arrival: ms on the
 * machine's clock
 */
export async function listenForFleet(
  port: number,
  token: string,
  onBack: (id: string, at: number) => void,
): Promise<FleetListener> {
  const url = `ws://127.0.0.1:${port}${relayPath.webSocket}`;
  const socket = new WebSocket(url, { perMessageDeflate: false });
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  let [devices, frames, bytes, offset] = [0, 0, 0, -1];
  socket.on("error", reject);
  socket.on("close", () => reject(new Error("the WebSocket transport closed")));
  socket.on("open", () => {
    socket.send(JSON.stringify({ t: "hello", protocol: PROTOCOL, token }));
    socket.send(JSON.stringify({ t: "subscribe", stream: "fleet" }));
  });
  socket.on("message", (data) => {
    // Parsing the frame is the client's own time.
    const at = machineMs();
    const text = data.toString();
    const parsed = parseJson(ServerMessage, text);
    if (!parsed.ok) throw new Error(`no message of the protocol: ${parsed.path} ${parsed.message}`);
    const message = parsed.value;
    if (message.t === "error") reject(new Error(message.message));
    if (message.t === "snapshot") {
      devices += Object.keys(message.state).filter((key) => key.startsWith("device:")).length;
      offset = message.offset;
      if (message.part === message.of) resolve();
    }
    if (message.t !== "change") return;
    if (message.from !== offset) throw new Error("a frame does not begin where the one before had ended");
    offset = message.offset;
    frames += 1;
    bytes += text.length;
    for (const [key, value] of Object.entries({ ...message.set, ...message.patch })) {
      if (key.startsWith("device:") && value.quality === "fresh") onBack(key.slice("device:".length), at);
    }
  });
  await promise;
  return {
    get devices() {
      return devices;
    },
    get frames() {
      return frames;
    },
    get bytes() {
      return bytes;
    },
    close: () => socket.terminate(),
  };
}
