import compress from "@fastify/compress";
import etag from "@fastify/etag";
import { AllowedMethods } from "@mulkko/shared/server/allowed-methods";
import { COMPRESSION, mayCompress } from "@mulkko/shared/server/compression";
import type { FastifyRequest } from "fastify";
import fp from "fastify-plugin";

declare module "fastify" {
  interface FastifyInstance {
    /** The methods of the relay's own routes. */
    allowedMethods: AllowedMethods;
  }
}

/** A call that no row knows may have secrets in its answer. */
const isSecret = ({ farmCall }: FastifyRequest): boolean =>
  farmCall !== null && (farmCall.operation === null || farmCall.operation.secret === true);

const isSuccess = (status: number): boolean => status >= 200 && status < 300;

/**
 * Apply what all answers have in common: JSON is compressed, only successful answers have a tag, by which a browser asks if
 * they are unchanged, and bodies are JSON or what a route names itself (415).
 */
export const answersPlugin = fp(
  async (app) => {
    app.removeContentTypeParser("text/plain");
    const methods = new AllowedMethods();
    app.addHook("onRoute", ({ method, url }) => methods.add(method, url));
    app.decorate("allowedMethods", methods);
    app.addHook("onSend", async (request, reply) => {
      // A precondition is for what is there (RFC 9110, 13.2.1).
      if (!isSuccess(reply.statusCode)) delete request.headers["if-none-match"];
    });
    // One content has several encodings.
    await app.register(etag, { weak: true });
    app.addHook("onSend", async (request, reply) => {
      if (!isSuccess(reply.statusCode) && reply.statusCode !== 304) reply.removeHeader("etag");
      if (!mayCompress(request.method, reply.getHeader("content-type"), isSecret(request)))
        request.headers["x-no-compression"] = "1";
    });
    await app.register(compress, { ...COMPRESSION, encodings: [...COMPRESSION.encodings] });
  },
  { name: "answers", fastify: "5.x" },
);
