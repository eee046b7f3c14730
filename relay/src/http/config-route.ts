import { RelayConfig } from "@mulkko/shared/rest/relay-config";
import { relayPath } from "@mulkko/shared/rest/routes";
import fp from "fastify-plugin";
import type { CapabilitySource } from "../upstream/capabilities.ts";

interface Options {
  /** IANA name of the zone in which the farm API writes its times. */
  readonly apiTimezone: string;
  readonly capabilities: CapabilitySource;
  /** Id of the served web client's build (HS-4). */
  readonly build: string;
  /** Style of the installation's own map; null for the client's embedded one. */
  readonly mapStyleUrl: string | null;
}

/** `GET /relay/config`: what a client needs before a sign-in. */
export const configRoute = fp<Options>(
  async (app, { apiTimezone, capabilities, build, mapStyleUrl }) => {
    app.get(
      relayPath.config,
      { config: { display: "read" }, schema: { response: { 200: RelayConfig } } },
      async (_request, reply) => {
        reply.header("cache-control", "no-cache");
        return { apiTimezone, extensions: [...capabilities.extensions], build, mapStyleUrl };
      },
    );
  },
  { name: "config-route", fastify: "5.x" },
);
