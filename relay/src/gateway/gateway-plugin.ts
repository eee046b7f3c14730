import fp from "fastify-plugin";
import { createConnectionLimit } from "../http/connection-limit.ts";
import type { Trust } from "../http/trusted-proxies.ts";
import { BELIEVED_MS } from "../upstream/token-prover.ts";
import { createAdmission } from "./admission.ts";
import { closeReason, draining } from "./close-reason.ts";
import type { Session, TransportConnection } from "./connection.ts";
import type { GatewayContext } from "./context.ts";
import { displayBearer } from "./identity.ts";
import { GATEWAY_LIMITS, type GatewayLimits } from "./limits.ts";
import { createSession } from "./session.ts";
import { createSessionRegistry } from "./session-registry.ts";
import { createSnapshotCache } from "./snapshot-cache.ts";
import { socketIoTransport } from "./socketio-transport.ts";
import { dispatchUpgrades } from "./upgrade-dispatch.ts";
import { websocketTransport } from "./websocket-transport.ts";
import { linkMessage } from "./welcome.ts";

export interface GatewayOptions extends Omit<GatewayContext, "limits" | "log"> {
  readonly limits?: Partial<GatewayLimits>;
  readonly trust: Trust;
  /** True while the farm API reports accounts whose tokens may have ended. */
  readonly receivesSessionEnds: () => boolean;
  /** Origins of pages, besides the relay's own, that may open a connection. */
  readonly allowedOrigins: readonly string[];
}

/** Sessions proven at the same time. */
const PROVEN_AT_ONCE = 10;

const DISPLAY_ENDS = {
  changed: closeReason.displayChanged,
  suspended: closeReason.disabled,
  revoked: closeReason.displayRevoked,
} as const;

async function proveAll(
  sessions: readonly Session[],
  prove: (session: Session) => Promise<void>,
): Promise<void> {
  for (let from = 0; from < sessions.length; from += PROVEN_AT_ONCE) {
    await Promise.all(sessions.slice(from, from + PROVEN_AT_ONCE).map(prove));
  }
}

/** Both transports of the live protocol on the server of this Fastify instance. */
export const gatewayPlugin = fp<GatewayOptions>(
  async (app, options) => {
    const { prover, link, random, trust, allowedOrigins, metrics } = options;
    const limits: GatewayLimits = { ...GATEWAY_LIMITS, ...options.limits };
    const context: GatewayContext = { ...options, limits, log: app.log.child({ part: "gateway" }) };
    const registry = createSessionRegistry(limits.sessionsPerAccount);
    const snapshots = createSnapshotCache(limits.partBytes);
    let isDraining = false;

    const admission = createAdmission({
      connections: createConnectionLimit(limits.sessionsPerAddress, limits.sessions),
      metrics,
      trust,
      allowedOrigins,
      isDraining: () => isDraining,
    });
    const open = (connection: TransportConnection): Session =>
      createSession(context, registry, snapshots, connection);
    const upgrades = dispatchUpgrades(app.server, admission.upgrade);
    const stopListening = [
      prover.onRejected((token) => {
        for (const session of registry.withToken(token)) session.end(closeReason.tokenRejected);
      }),
      prover.onDoubted((accountId) => {
        proveAll(registry.ofAccount(accountId), (session) => session.proveAgain()).catch((error: unknown) =>
          context.log.error(
            { event: "session-check-failed", err: error },
            "cannot prove sessions of changed account",
          ),
        );
      }),
      // HS-2: at once, on whichever node it was changed.
      options.displays.onChanged((id, what) => {
        const last = DISPLAY_ENDS[what];
        for (const session of registry.withToken(displayBearer(id))) session.end(last);
      }),
      link.listen((state) => {
        const message = linkMessage(state);
        for (const session of registry.sessions) session.link(message);
      }),
    ];

    /** AUTH-5: prove the tokens of sessions again where the API does not report ended ones. */
    const lookAtTokens = async (): Promise<void> => {
      if (!options.receivesSessionEnds())
        await proveAll([...registry.sessions], (session) => session.prove());
    };
    const lookRegularly = (): void => {
      lookAtTokens()
        .catch((error: unknown) =>
          context.log.error({ event: "session-recheck-failed", err: error }, "cannot prove sessions again"),
        )
        .finally(() => {
          if (!isDraining) looking = options.timers.after(BELIEVED_MS, lookRegularly);
        });
    };
    let looking = options.timers.after(BELIEVED_MS, lookRegularly);

    // Before the transports' own hooks, so that clients get the reason before the connection closes (LIVE-3).
    app.addHook("preClose", async () => {
      isDraining = true;
      looking.cancel();
      for (const stop of stopListening) stop();
      for (const session of registry.sessions)
        session.end(draining(Math.round(random() * limits.drainSpreadMs)));
      await registry.emptied();
      // An open poll would keep the server from closing.
      socketio.close();
    });
    const socketio = await socketIoTransport(app, {
      upgrades: upgrades.socketio,
      admission,
      clock: context.clock,
      limits,
      open,
    });
    await app.register(websocketTransport, { upgrades: upgrades.websocket, limits, open });
  },
  { name: "gateway", fastify: "5.x" },
);
