import { createHash } from "node:crypto";
import type { FastifyRequest } from "fastify";
import { ApiError } from "./api-error.ts";

/** Long enough that two states of one object never share a version. */
const VERSION_LENGTH = 10;

/** Return the version of the editable values: a short hash that changes with any of them. */
export const versionOf = (values: object): string =>
  createHash("sha256").update(JSON.stringify(values)).digest("base64url").slice(0, VERSION_LENGTH);

/**
 * Refuse a change of an object that differs from what the caller read (`If-Match`, extension `versions`).
 * Without the header, as in the plain contract, any version is changed.
 *
 * @param current the stored version, read under the lock of the change
 * @throws ApiError 412
 */
export function mustMatch(request: FastifyRequest, current: string | null | undefined): void {
  const wanted = request.headers["if-match"];
  if (wanted === undefined || wanted === "*") return;
  const tags = wanted.split(",").map((tag) => tag.trim().replace(/^W\//, "").replaceAll('"', ""));
  if (current && tags.includes(current)) return;
  throw new ApiError(412, "changed-meanwhile", "the entry has changed meanwhile; read it again");
}
