import { createHash } from "node:crypto";
import type { FastifyRequest } from "fastify";
import { ApiError } from "./api-error.ts";

/** Enough that two states of one thing never share a version. */
const VERSION_LENGTH = 10;

/** The version of what people may write: a short hash, which changes with any of the values. */
export const versionOf = (values: object): string =>
  createHash("sha256").update(JSON.stringify(values)).digest("base64url").slice(0, VERSION_LENGTH);

/**
 * Refuse a change of something that is not as the caller saw it (`If-Match`, extension `versions`). Without the
 * header, as callers of the plain contract send it, any version is changed.
 *
 * @param current the version that is stored, read under the lock of the change
 * @throws ApiError 412
 */
export function mustMatch(request: FastifyRequest, current: string | null | undefined): void {
  const wanted = request.headers["if-match"];
  if (wanted === undefined || wanted === "*") return;
  const tags = wanted.split(",").map((tag) => tag.trim().replace(/^W\//, "").replaceAll('"', ""));
  if (current && tags.includes(current)) return;
  throw new ApiError(412, "changed-meanwhile", "it was changed meanwhile; read it again");
}
