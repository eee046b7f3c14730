import type { Server as HttpServer } from "node:http";
import { MARKER_EVENT } from "@mulkko/shared/live/marker";
import { relayPath } from "@mulkko/shared/rest/routes";
import { Server, type Socket } from "socket.io";
import { textFrame } from "../core/websocket-frame.ts";
import type { GatewayLimits } from "./limits.ts";
import type { Outgoing } from "./outgoing.ts";
import type { Session, Wire } from "./wire.ts";

interface Options {
  /** Never listens: it hands on the upgrades that are for this door. */
  readonly upgrades: HttpServer;
  readonly limits: GatewayLimits;
  open(wire: Wire): Session;
}

/** The packet of a message and the WebSocket frame of that packet. */
interface Packet {
  readonly text: string;
  readonly options: { readonly compress: false; readonly wsPreEncodedFrame: readonly [Buffer] };
}

/**
 * Engine.IO takes a finished WebSocket frame beside the packet, as Socket.IO's own broadcasts do; so a message is
 * encoded once, however many sessions get it (DOOR-1). `2` is an event, `4` a message around it.
 */
function createPackets(): (message: Outgoing) => Packet {
  const made = new WeakMap<Outgoing, Packet>();
  return (message) => {
    const known = made.get(message);
    if (known) return known;
    const text = `2["${message.t}",${message.bytes.toString("utf8")}]`;
    const frame = textFrame(Buffer.from(`4${text}`));
    const fresh: Packet = { text, options: { compress: false, wsPreEncodedFrame: [frame] } };
    made.set(message, fresh);
    return fresh;
  };
}

/**
 * Counts packets that are neither an event nor an awaited acknowledgement: a client has no reason to send more than
 * the one that opens its session.
 */
interface PacketGuard {
  explained(): void;
  /** True for the first session of the connection; Socket.IO would let in several that ask at the same time. */
  claim(): boolean;
}

function guardPackets(socket: Socket["conn"], limits: GatewayLimits): PacketGuard {
  let unexplained = 0;
  let isClaimed = false;
  socket.on("packet", (packet: { type: string }) => {
    if (packet.type !== "message") return;
    unexplained += 1;
    // Some of a burst may not have been looked at yet.
    if (unexplained > 4 * limits.messagesPerWindow) socket.close(true);
  });
  return {
    explained() {
      unexplained -= 1;
    },
    claim() {
      if (isClaimed) return false;
      isClaimed = true;
      return true;
    },
  };
}

function createSocketIoWire(
  socket: Socket,
  packetOf: (message: Outgoing) => Packet,
  onMarker: (marker: number) => void,
): Wire {
  const network = socket.request.socket;
  return {
    door: "socketio",
    bufferedAmount: () => network.writableLength,
    send(message) {
      if (!socket.connected) return;
      const { text, options } = packetOf(message);
      socket.conn.write(text, options);
    },
    mark(marker) {
      if (socket.connected) socket.emit(MARKER_EVENT, () => onMarker(marker));
    },
    // The reason is in `bye`; Socket.IO has no codes of its own.
    close: () => socket.disconnect(true),
    terminate: () => network.destroy(),
  };
}

/** The door for browsers: Socket.IO events named by the message's `t`. */
export function socketIoDoor({ upgrades, limits, open }: Options): { close(): void } {
  const packetOf = createPackets();
  const guards = new WeakMap<Socket["conn"], PacketGuard>();
  const io = new Server(upgrades, {
    path: relayPath.socketIo,
    serveClient: false,
    transports: ["websocket"],
    allowUpgrades: false,
    perMessageDeflate: false,
    httpCompression: false,
    maxHttpBufferSize: limits.frameBytes,
    connectTimeout: limits.helloMs,
    pingInterval: limits.pingMs,
    pingTimeout: limits.silentMs - limits.pingMs,
  });
  io.engine.on("connection", (connection: Socket["conn"]) => {
    guards.set(connection, guardPackets(connection, limits));
  });

  io.on("connection", (socket) => {
    const guard = guards.get(socket.conn);
    if (!guard?.claim()) {
      socket.disconnect(true);
      return;
    }
    const session = open(
      createSocketIoWire(socket, packetOf, (marker) => {
        guard.explained();
        session.confirmed(marker);
      }),
    );
    socket.onAny((event: unknown, ...parameters: unknown[]) => {
      guard.explained();
      const [message] = parameters;
      const named = typeof message === "object" && message !== null && "t" in message && message.t === event;
      if (named && parameters.length === 1) session.receive(message);
      else session.receiveGarbage();
    });
    socket.conn.on("heartbeat", () => session.heard());
    socket.on("disconnect", () => session.closed());
    socket.on("error", () => session.receiveGarbage());
  });
  return {
    close() {
      io.engine.close();
    },
  };
}
