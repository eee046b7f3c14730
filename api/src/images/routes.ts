import { join } from "node:path";
import multipart from "@fastify/multipart";
import type { ImageAnswer } from "@mulkko/shared/rest/account";
import { accountImage } from "@mulkko/shared/rest/operations/account";
import { controllerImage } from "@mulkko/shared/rest/operations/controllers";
import { sensorImage } from "@mulkko/shared/rest/operations/sensors";
import type { Clock } from "@mulkko/shared/rules/clock";
import { createRateLimit } from "@mulkko/shared/rules/rate-limit";
import type { FastifyRequest } from "fastify";
import fp from "fastify-plugin";
import { Type } from "typebox";
import { callerOf, ownerFilter } from "../accounts/auth.ts";
import { recordAuditEntry } from "../audit/repository.ts";
import { ApiError, notFound } from "../http/api-error.ts";
import { routeOf } from "../http/operation-route.ts";
import { uuidOf } from "../http/params.ts";
import type { App } from "../http/server.ts";
import { findDevice, type Pictured, replaceImage } from "./repository.ts";
import { createImageStore, type ImageStore } from "./store.ts";
import { readUpload, UPLOAD_LIMITS } from "./upload.ts";

declare module "fastify" {
  interface FastifyInstance {
    images: ImageStore;
  }
}

const WINDOW_MS = 10 * 60_000;
const UPLOADS_PER_ACCOUNT = 60;

/** Multipart is parsed as a stream, without a schema; this is its documentation. */
const documented = {
  body: Type.Object({ image: Type.String({ format: "binary" }) }),
  consumes: ["multipart/form-data"],
};

/** The entity of the image. */
interface Subject {
  readonly kind: Pictured;
  readonly id: string;
  readonly name: string;
  readonly accountId: string;
}

/** Receive and serve images of accounts, sensors and controllers. */
export const imageRoutes = fp<{ folder: string; clock: Clock }>(
  async (app: App, { folder, clock }) => {
    const { database } = app;
    const images = await createImageStore(join(folder, "images"));
    const counter = createRateLimit(clock, WINDOW_MS);
    app.decorate("images", images);
    await app.register(multipart, { limits: UPLOAD_LIMITS });

    /** Store the request's image, and remove the previous one. */
    const storeImage = async (request: FastifyRequest, subject: Subject): Promise<ImageAnswer> => {
      const { account: actor } = callerOf(request);
      const retryAfter = counter.refuses(actor.id, UPLOADS_PER_ACCOUNT);
      if (retryAfter !== null)
        throw new ApiError(429, "too-many-requests", "too many images", { retryAfter });
      const { bytes, format } = await readUpload(request);
      const imagePath = await images.save(bytes, format);
      const { kind, id, name, accountId } = subject;
      const before = await database
        .transaction(async (tx) => {
          const replaced = await replaceImage(tx, kind, id, imagePath);
          if (replaced === undefined) throw notFound(kind);
          if (actor.id !== accountId) {
            const entry = { actor, action: `${kind}-image`, subject: { kind, id, name } };
            await recordAuditEntry(tx, entry, clock.now());
          }
          return replaced;
        })
        .catch(async (error: unknown) => {
          await images.remove(imagePath);
          throw error;
        });
      await images.remove(before);
      app.ingest.outputs.changed(accountId, kind, id);
      return { imagePath };
    };

    app.route({
      ...routeOf(accountImage, {
        tags: ["account"],
        summary: "Set one's picture: multipart field image, PNG, JPEG or WebP, 5 MiB",
      }),
      config: { documented },
      onRequest: app.authenticate,
      handler(request) {
        const { id, username: name } = callerOf(request).account;
        return storeImage(request, { kind: "account", id, name, accountId: id });
      },
    });

    const calls = [
      { kind: "sensor", row: sensorImage },
      { kind: "controller", row: controllerImage },
    ] as const;
    for (const { kind, row } of calls) {
      app.route({
        ...routeOf(row, {
          tags: [kind],
          summary: `Set the picture of a ${kind}: multipart field image, PNG, JPEG or WebP, 5 MiB`,
        }),
        config: { documented },
        onRequest: app.authenticate,
        async handler(request) {
          const id = uuidOf(request.params.id, kind);
          const device = await findDevice(database, kind, id, ownerFilter(callerOf(request)));
          if (!device) throw notFound(kind);
          return storeImage(request, { kind, id, ...device });
        },
      });
    }

    // The name is the secret: images are public, so that <img> needs no token.
    app.route({
      method: "GET",
      url: "/images/:name",
      schema: {
        tags: ["image"],
        summary: "A picture; its name cannot be guessed and never shows another",
        params: Type.Object({ name: Type.String() }),
        response: { 200: Type.Unsafe<Buffer>({ type: "string", format: "binary" }) },
      },
      async handler(request, reply) {
        const image = await images.read(request.params.name);
        if (!image) throw notFound("image");
        return reply
          .headers({
            "content-type": image.type,
            "x-content-type-options": "nosniff",
            "content-security-policy": "default-src 'none'; sandbox",
            "cache-control": "public, max-age=31536000, immutable",
          })
          .send(image.bytes);
      },
    });
  },
  { name: "image", dependencies: ["database", "broker", "auth", "errors"] },
);
