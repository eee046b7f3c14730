import fp from "fastify-plugin";
import { sendError } from "./relay-error.ts";

declare module "fastify" {
  interface FastifyContextConfig {
    /** True for a route that closes connections gracefully, and must work while the server closes. */
    servesWhileClosing?: boolean;
  }
}

/** Server options for this plugin: Fastify by itself would refuse every request while it closes. */
export const CLOSING_OPTIONS = { return503OnClosing: false } as const;

/** Refuse requests while the server closes, so that a load balancer asks another node (LIVE-3). */
export const closingPlugin = fp(
  async (app) => {
    let isClosing = false;
    app.addHook("preClose", async () => {
      isClosing = true;
    });
    app.addHook("onRequest", async (request, reply) => {
      if (!isClosing || request.routeOptions.config.servesWhileClosing) return;
      return sendError(reply, 503, "internal", "this node is shutting down");
    });
  },
  { name: "closing", fastify: "5.x" },
);
