import { relayPath } from "@mulkko/shared/rest/routes";
import fp from "fastify-plugin";
import { asyncApiDocument } from "./document.ts";

/** `GET /relay/asyncapi.json`: the live protocol, for readers and for client generators. */
export const asyncApiPlugin = fp(
  async (app) => {
    const document = JSON.stringify(asyncApiDocument());
    app.get(relayPath.asyncApi, async (_request, reply) => {
      reply.header("cache-control", "no-cache").type("application/json; charset=utf-8");
      return document;
    });
  },
  { name: "asyncapi", fastify: "5.x" },
);
