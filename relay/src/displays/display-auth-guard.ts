import fp from "fastify-plugin";
import { bearerOf, type DisplayGrant } from "../http/caller.ts";
import { pathOf } from "../http/logging.ts";
import { RelayError } from "../http/relay-error.ts";
import { isDisplayToken } from "../store/display-codes.ts";
import type { DisplayAuth } from "./display-auth.ts";

declare module "fastify" {
  interface FastifyRequest {
    /** The display whose token the request carries, or null. */
    display: DisplayGrant | null;
  }
  interface FastifyContextConfig {
    /**
     * The access of a display to a route: to read, or with the scope `ack` to acknowledge. None by default.
     */
    display?: "read" | "ack";
  }
}

/**
 * HS-2: allow a display's token only the access that a route declares: no write, no forwarded call, no route
 * added later by default. The guard runs before any route reads the token.
 */
export const displayAuthGuardPlugin = fp<{ readonly transport: Pick<DisplayAuth, "prove"> }>(
  async (app, { transport }) => {
    app.decorateRequest("display", null);
    app.addHook("onRequest", async (request) => {
      const token = bearerOf(request.headers.authorization);
      if (token === undefined || !isDisplayToken(token)) return;
      const may = request.routeOptions.config.display;
      const refused = new RelayError(403, "forbidden", "a display may only read its farms");
      if (may === undefined) throw refused;
      const { search } = new URL(request.url, "http://relay");
      if (new URLSearchParams(search).has("as")) throw refused;
      const proof = await transport.prove(token);
      if (!proof.ok) throw refusalOf(proof.why);
      if (may === "ack" && proof.display.scope !== "ack") throw refused;
      request.display = proof.display;
      request.log.debug(
        { event: "display-request", display: proof.display.id, path: pathOf(request.url) },
        "received request from display",
      );
    });
  },
  { name: "display-gate", fastify: "5.x", dependencies: ["errors"] },
);

function refusalOf(why: "revoked" | "suspended" | "store-down"): RelayError {
  switch (why) {
    case "revoked":
      return new RelayError(401, "display-revoked", "unknown display token");
    case "suspended":
      return new RelayError(403, "account-disabled", "the account is disabled");
    case "store-down":
      return new RelayError(503, "store-down", "the displays are unavailable at present");
  }
}
