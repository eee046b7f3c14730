import httpProxy from "@fastify/http-proxy";
import { relayPath } from "@mulkko/shared/rest/routes";
import type { FastifyInstance } from "fastify";
import { pathOf } from "./logging.ts";
import type { ProxiedApi } from "./proxied-api.ts";
import { RelayError, sendError } from "./relay-error.ts";
import { addressHolder } from "./shares/holder.ts";
import type { Shares } from "./shares/shares.ts";

const PHOTO = /\.(png|jpe?g|gif|webp|avif|bmp)$/i;
/** An escaped slash, backslash, dot or NUL, which leaves the folder if the server decodes twice. */
const LEADS_OUT = /(^|\/)\.\.?(\/|$)|\\|%(2f|5c|2e|00)/i;
/** SVG may contain scripts and is not a photo. */
const IMAGE_TYPE = /^image\/(?!svg)/i;
/**
 * A browser sends neither for an image. The credentials of other clients must not reach a path of their
 * choice.
 */
const CREDENTIALS = ["authorization", "cookie"];

/** Let each image take a place. Images are public: their callers are known by their addresses only. */
export function takeImagePlaces(scope: FastifyInstance, { calls }: Shares): void {
  scope.addHook("preHandler", (request, reply) =>
    calls.take("image", addressHolder(request), request, reply),
  );
}

/**
 * `GET /relay/photo/*`: photos from any path of the farm API. A browser requests an image without the
 * account's token, so access cannot be checked per account. Instead only images are passed on, requested
 * without credentials.
 */
export async function photoProxy(app: FastifyInstance, { api }: { api: ProxiedApi }): Promise<void> {
  const { basePath, options } = api;
  const { rewriteRequestHeaders, onResponse } = options.replyOptions;
  app.addHook("onRequest", async (request) => {
    const path = pathOf(request.url).slice(relayPath.photo.length);
    if (!PHOTO.test(path) || LEADS_OUT.test(path)) throw new RelayError(404, "not-found", "no such photo");
  });
  takeImagePlaces(app, api.shares);
  await app.register(httpProxy, {
    ...options,
    prefix: relayPath.photo,
    rewritePrefix: basePath,
    httpMethods: ["GET", "HEAD"],
    replyOptions: {
      ...options.replyOptions,
      rewriteRequestHeaders(request, headers) {
        const all = rewriteRequestHeaders?.(request, headers) ?? headers;
        return Object.fromEntries(Object.entries(all).filter(([name]) => !CREDENTIALS.includes(name)));
      },
      onResponse(request, reply, response) {
        const isPhoto = response.statusCode < 300 && IMAGE_TYPE.test(String(reply.getHeader("content-type")));
        if (isPhoto || response.statusCode === 304) return onResponse?.(request, reply, response);
        response.stream.destroy();
        for (const name of Object.keys(reply.getHeaders())) reply.removeHeader(name);
        sendError(reply, 404, "not-found", "the farm API has no such photo");
      },
    },
  });
}
