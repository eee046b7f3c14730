import fp from "fastify-plugin";
import pLimit from "p-limit";
import { BELIEVED_MS } from "../access/token-prover.ts";
import type { Runtime } from "../runtime/runtime.ts";
import { type Admission, dispatchUpgrades } from "./admission.ts";
import { draining } from "./close-reason.ts";
import type { Session, TransportConnection } from "./connection.ts";
import { GATEWAY_LIMITS, type GatewayLimits } from "./limits.ts";
import { LiveSession, type SessionDeps } from "./session.ts";
import { createSessionRegistry } from "./session-registry.ts";
import { socketIoTransport } from "./socketio-transport.ts";
import { createStreamDeliveries } from "./stream-delivery.ts";
import { websocketTransport } from "./websocket-transport.ts";

export interface GatewayOptions extends Pick<SessionDeps, "access" | "messages"> {
  readonly admission: Admission;
  readonly runtime: Omit<Runtime, "log">;
  readonly limits?: Partial<GatewayLimits>;
  readonly transport?: OtherTransport;
}

/** A transport beside those of this server, such as one without sockets. */
export type OtherTransport = (open: (connection: TransportConnection) => Session) => void;

/** Sessions proven at the same time. */
const PROVEN_AT_ONCE = 10;

/** Both transports of the live protocol on the server of this Fastify instance. */
export const gatewayPlugin = fp<GatewayOptions>(
  async (app, { access, messages, admission, runtime, limits: changedLimits, transport }) => {
    const { clock, timers, random, metrics } = runtime;
    const limits: GatewayLimits = { ...GATEWAY_LIMITS, ...changedLimits };
    const log = app.log.child({ part: "gateway" });
    const deps: SessionDeps = { access, messages, metrics, limits, clock, timers, log };
    const registry = createSessionRegistry(limits.sessionsPerAccount);
    const deliveries = createStreamDeliveries(limits, metrics.caughtUp);
    const inTurn = pLimit(PROVEN_AT_ONCE);
    let isDraining = false;

    const proveAll = async (sessions: Iterable<Session>, again: boolean): Promise<void> => {
      await Promise.all([...sessions].map((session) => inTurn(() => session.prove(again))));
    };
    const open = (connection: TransportConnection): Session =>
      new LiveSession(deps, registry, deliveries, connection);
    const upgrades = dispatchUpgrades(app.server, admission.upgrade);
    const stopListening = [
      // HS-2: at once, on whichever node it was changed.
      access.onEnded((bearer, last) => {
        for (const session of registry.withToken(bearer)) session.end(last);
      }),
      access.onDoubted((accountId) => {
        proveAll(registry.ofAccount(accountId), true).catch((error: unknown) =>
          log.error(
            { event: "session-check-failed", err: error },
            "cannot prove sessions of changed account",
          ),
        );
      }),
      messages.onLink((message) => {
        for (const session of registry.sessions) session.link(message);
      }),
    ];

    /** AUTH-5: prove the tokens of sessions again where the API does not report ended ones. */
    const lookAtTokens = async (): Promise<void> => {
      if (!access.receivesEnds()) await proveAll(registry.sessions, false);
    };
    const lookRegularly = (): void => {
      lookAtTokens()
        .catch((error: unknown) =>
          log.error({ event: "session-recheck-failed", err: error }, "cannot prove sessions again"),
        )
        .finally(() => {
          if (!isDraining) looking = timers.after(BELIEVED_MS, lookRegularly);
        });
    };
    let looking = timers.after(BELIEVED_MS, lookRegularly);

    // Before the transports' own hooks, so that clients get the reason before the connection closes (LIVE-3).
    app.addHook("preClose", async () => {
      isDraining = true;
      admission.drain();
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
      clock,
      limits,
      open,
    });
    transport?.(open);
    await app.register(websocketTransport, { upgrades: upgrades.websocket, limits, open });
  },
  { name: "gateway", fastify: "5.x" },
);
