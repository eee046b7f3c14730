import { createCipheriv, createDecipheriv, createHash, createHmac, hkdfSync, randomBytes } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { parseJson } from "@mulkko/shared/schema/parse";
import type { FastifyRequest } from "fastify";
import type { Static, TSchema } from "typebox";
import type { Database } from "../database/database.ts";
import { ApiError } from "./api-error.ts";

/** Length of a key that counts, as of a command's (`idempotent-cmd`). */
const KEY = /^[\w-]{16,64}$/;
/** Hours for which a key is known. */
const KEPT_HOURS = 24;
/** Time after which a call without an answer is taken to have ended with its process, s. */
const ABANDONED_S = 35;
/** Time for which a repeated call waits for the first one, ms, and the interval of its looks. */
const WAIT_MS = 5_000;
const LOOK_MS = 100;

const CIPHER = "aes-256-gcm";
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

const sha256 = (text: string): string => createHash("sha256").update(text).digest("base64url");

/** Return the secret for an answer: only a caller with the key can read it, not the database. */
const secretOf = (key: string): Buffer => Buffer.from(hkdfSync("sha256", key, "", "created-once", 32));

function sealed(key: string, text: string): string {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv(CIPHER, secretOf(key), nonce);
  const body = Buffer.concat([cipher.update(text, "utf8"), cipher.final()]);
  return Buffer.concat([nonce, cipher.getAuthTag(), body]).toString("base64url");
}

function opened(key: string, stored: string): string {
  const bytes = Buffer.from(stored, "base64url");
  const decipher = createDecipheriv(CIPHER, secretOf(key), bytes.subarray(0, NONCE_BYTES));
  decipher.setAuthTag(bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES));
  return Buffer.concat([decipher.update(bytes.subarray(NONCE_BYTES + TAG_BYTES)), decipher.final()]).toString(
    "utf8",
  );
}

interface CreatedRow {
  readonly content: string;
  readonly answer: string | null;
}

/**
 * Carry a call that creates something out once for its `Idempotency-Key` (extension `idempotent-create`). For a day
 * the same key answers with the first answer, also with a device key that is otherwise shown once.
 *
 * A process that ends between the creation and the storing of its answer leaves a key that runs again after
 * {@link ABANDONED_S}: the second creation then fails on the name or serial that exists.
 *
 * @param answer schema of the answer
 * @throws ApiError 409 for a key of another content, 503 while the first call is still under way
 */
export async function onlyOnce<S extends TSchema>(
  database: Database,
  request: FastifyRequest,
  accountId: string,
  answer: S,
  create: () => Promise<Static<S>>,
): Promise<Static<S>> {
  const key = request.headers["idempotency-key"];
  if (typeof key !== "string" || !KEY.test(key)) return create();
  const digest = sha256(`${accountId}\n${key}`);
  const { routeOptions, params, body } = request;
  // With the key, which is not stored: a body may contain a password.
  const content = createHmac("sha256", key)
    .update(JSON.stringify([routeOptions.url, params, body]))
    .digest("base64url");
  await database.query(`delete from created_once where at < now() - interval '${KEPT_HOURS} hours'`);
  for (let waited = 0; ; waited += LOOK_MS) {
    const claimed = await database.query(
      `insert into created_once (digest, content, at) values ($1, $2, now())
       on conflict (digest) do update set at = now()
         where created_once.answer is null and created_once.content = excluded.content
           and created_once.at < now() - interval '${ABANDONED_S} seconds'
       returning digest`,
      [digest, content],
    );
    if (claimed.length > 0) break;
    const [row] = await database.query<CreatedRow>(
      "select content, answer from created_once where digest = $1",
      [digest],
    );
    if (row && row.content !== content) {
      throw new ApiError(409, "command-conflict", "this Idempotency-Key belongs to another call");
    }
    if (row?.answer != null) {
      const stored = parseJson(answer, opened(key, row.answer));
      if (stored.ok) return stored.value;
      throw new Error(`the stored answer of ${request.routeOptions.url} is unreadable: ${stored.path}`);
    }
    if (waited >= WAIT_MS) throw new ApiError(503, "internal", "the first call with this key is under way");
    await sleep(LOOK_MS);
  }
  try {
    const made = await create();
    await database.query("update created_once set answer = $2 where digest = $1", [
      digest,
      sealed(key, JSON.stringify(made)),
    ]);
    return made;
  } catch (error) {
    // Nothing was created: the same key may try again.
    await database.query("delete from created_once where digest = $1 and answer is null", [digest]);
    throw error;
  }
}
