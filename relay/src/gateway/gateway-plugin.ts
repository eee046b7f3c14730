import type { IncomingMessage } from "node:http";
import type { Duplex } from "node:stream";
import fp from "fastify-plugin";
import { createConnectionLimit } from "./connection-limit.ts";
import type { GatewayContext } from "./context.ts";
import { draining, farewell } from "./farewell.ts";
import { linkMessage } from "./greeting.ts";
import { displayBearer } from "./identity.ts";
import { GATEWAY_LIMITS, type GatewayLimits } from "./limits.ts";
import { isOriginAllowed } from "./origin.ts";
import { createSession } from "./session.ts";
import { createSessionRegistry } from "./session-registry.ts";
import { createSnapshotCache } from "./snapshot-cache.ts";
import { socketIoDoor } from "./socketio-door.ts";
import { clientAddress, type Trust } from "./trusted-proxies.ts";
import { dispatchUpgrades, type Refusal } from "./upgrade-dispatch.ts";
import { websocketDoor } from "./websocket-door.ts";
import type { Session, Wire } from "./wire.ts";

export interface GatewayOptions extends Omit<GatewayContext, "limits" | "log"> {
  readonly limits?: Partial<GatewayLimits>;
  readonly trust: Trust;
  /** Origins of pages, beside the relay's own, that may open a connection. */
  readonly allowedOrigins: readonly string[];
}

/** Sessions of one account that are asked about at the same time. */
const PROVEN_AT_ONCE = 10;

const DISPLAY_ENDS = {
  changed: farewell.displayChanged,
  suspended: farewell.disabled,
  revoked: farewell.displayRevoked,
} as const;

async function proveAgain(sessions: readonly Session[]): Promise<void> {
  for (let from = 0; from < sessions.length; from += PROVEN_AT_ONCE) {
    await Promise.all(sessions.slice(from, from + PROVEN_AT_ONCE).map((session) => session.proveAgain()));
  }
}

/** Both doors of the live protocol on the server of this Fastify instance. */
export const gatewayPlugin = fp<GatewayOptions>(
  async (app, options) => {
    const { prover, link, random, trust, allowedOrigins, metrics } = options;
    const limits: GatewayLimits = { ...GATEWAY_LIMITS, ...options.limits };
    const context: GatewayContext = { ...options, limits, log: app.log.child({ part: "gateway" }) };
    const registry = createSessionRegistry(limits.sessionsPerAccount);
    const snapshots = createSnapshotCache(limits.partBytes);
    const connections = createConnectionLimit(limits.sessionsPerAddress, limits.sessions);
    let isDraining = false;

    function admit(request: IncomingMessage, socket: Duplex): Refusal | null {
      if (isDraining) {
        metrics.connectionRefused("draining");
        return { status: 503, message: "this node is going down" };
      }
      const { origin, host, "x-forwarded-for": forwarded } = request.headers;
      if (!isOriginAllowed(origin, host, allowedOrigins)) {
        metrics.connectionRefused("origin");
        return { status: 403, message: "origin not allowed" };
      }
      const giveBack = connections.take(clientAddress(request.socket.remoteAddress, forwarded, trust));
      if (!giveBack) {
        metrics.connectionRefused("limit");
        return { status: 429, message: "too many connections" };
      }
      socket.once("close", giveBack);
      return null;
    }

    const open = (wire: Wire): Session => createSession(context, registry, snapshots, wire);
    const upgrades = dispatchUpgrades(app.server, admit);
    const stopListening = [
      prover.onRejected((token) => {
        for (const session of registry.withToken(token)) session.end(farewell.tokenRejected);
      }),
      prover.onDoubted((accountId) => {
        proveAgain(registry.ofAccount(accountId)).catch((error: unknown) =>
          context.log.error({ err: error }, "sessions of a doubted account were not asked about"),
        );
      }),
      // HS-2: at once, on whatever node it was changed.
      options.displays.onChanged((id, what) => {
        const last = DISPLAY_ENDS[what];
        for (const session of registry.withToken(displayBearer(id))) session.end(last);
      }),
      link.listen((state) => {
        const message = linkMessage(state);
        for (const session of registry.sessions) session.link(message);
      }),
    ];

    // Before the doors' own hooks: who is connected hears why before the connection closes (LIVE-3).
    app.addHook("preClose", async () => {
      isDraining = true;
      for (const stop of stopListening) stop();
      for (const session of registry.sessions)
        session.end(draining(Math.round(random() * limits.drainSpreadMs)));
      await registry.emptied();
    });
    const socketio = socketIoDoor({ upgrades: upgrades.socketio, limits, open });
    app.addHook("onClose", async () => socketio.close());
    await app.register(websocketDoor, { upgrades: upgrades.websocket, limits, open });
  },
  { name: "gateway", fastify: "5.x" },
);
