import fp from "fastify-plugin";
import { RelayError } from "./relay-error.ts";

const READS = ["GET", "HEAD", "OPTIONS"];

/**
 * HS-2: as another account nothing is written. Whoever names one beside a write would otherwise write to their own
 * farm, and believe that it was the other.
 */
export const readOnlyAsPlugin = fp(
  async (app) => {
    app.addHook("onRequest", async (request) => {
      if (READS.includes(request.method)) return;
      const { search } = new URL(request.url, "http://relay");
      if (!new URLSearchParams(search).has("as")) return;
      throw new RelayError(403, "forbidden", "as another account nothing is written");
    });
  },
  { name: "read-only-as", fastify: "5.x", dependencies: ["errors"] },
);
