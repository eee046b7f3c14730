import fp from "fastify-plugin";
import { bearerOf } from "../core/bearer.ts";
import { pathOf } from "../plugins/logging.ts";
import { RelayError } from "../plugins/relay-error.ts";
import type { DisplayDoor, DisplayGrant } from "../ports/displays.ts";
import { isDisplayToken } from "./codes.ts";

declare module "fastify" {
  interface FastifyRequest {
    /** The display whose token the request bears; null for everybody else. */
    display: DisplayGrant | null;
  }
  interface FastifyContextConfig {
    /** What a display may do here: to read, or with the scope `ack` to acknowledge. Left out: nothing. */
    display?: "read" | "ack";
  }
}

/**
 * HS-2: a display's token opens what a route says that it does, and nothing else: no write, no call that is passed
 * on, no route that is added tomorrow. Here, before any of them looks at the token.
 */
export const displayGatePlugin = fp<{ readonly door: Pick<DisplayDoor, "prove"> }>(
  async (app, { door }) => {
    app.decorateRequest("display", null);
    app.addHook("onRequest", async (request) => {
      const token = bearerOf(request.headers.authorization);
      if (token === undefined || !isDisplayToken(token)) return;
      const may = request.routeOptions.config.display;
      const refused = new RelayError(403, "forbidden", "a display reads its farms, and nothing else");
      if (may === undefined) throw refused;
      const { search } = new URL(request.url, "http://relay");
      if (new URLSearchParams(search).has("as")) throw refused;
      const proof = await door.prove(token);
      if (!proof.ok) throw refusalOf(proof.why);
      if (may === "ack" && proof.display.scope !== "ack") throw refused;
      request.display = proof.display;
      request.log.debug({ display: proof.display.id, path: pathOf(request.url) }, "a display asks");
    });
  },
  { name: "display-gate", fastify: "5.x", dependencies: ["errors"] },
);

function refusalOf(why: "revoked" | "suspended" | "store-down"): RelayError {
  switch (why) {
    case "revoked":
      return new RelayError(401, "display-revoked", "no display has this token");
    case "suspended":
      return new RelayError(403, "account-disabled", "the account is disabled");
    case "store-down":
      return new RelayError(503, "store-down", "the displays cannot be read now");
  }
}
