import { createCipheriv, createDecipheriv, createHash, createHmac, hkdfSync, randomBytes } from "node:crypto";
import type { Clock, Timers } from "@mulkko/shared/rules/clock";
import { parseJson } from "@mulkko/shared/schema/parse";
import type { FastifyRequest } from "fastify";
import type { Static, TSchema } from "typebox";
import type { Database, Queryable } from "../database/database.ts";
import { ApiError } from "./api-error.ts";

/** Length of a key that counts, as of a command's (`idempotent-cmd`). */
const KEY = /^[\w-]{16,64}$/;
/** Time for which a key is known, ms. */
const KEPT_MS = 24 * 3_600_000;
/** Time after which a call without an answer is taken to have ended with its process, ms. */
const ABANDONED_MS = 35_000;
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

const underWay = (): ApiError => new ApiError(503, "internal", "the first call with this key is under way");

interface CreatedRow {
  readonly content: string;
  readonly answer: string | null;
}

/** The database and the time by which keys are kept. */
export interface Keys {
  readonly database: Database;
  readonly clock: Clock;
  readonly timers: Timers;
}

/** A call that creates something. */
interface Creation<A> {
  /** Create it, and return the answer. */
  create(tx: Queryable): Promise<A>;
  /** Do what follows the stored creation. It may be repeated: also a repeated call does it. */
  follow(answer: A): Promise<void>;
}

/**
 * Carry a call that creates something out once for its `Idempotency-Key` (extension `idempotent-create`). For a day
 * the same key answers with the first answer, also with a device key that is otherwise shown once.
 *
 * The creation and its answer are one transaction: both are stored, or neither. A process that ends before it leaves
 * a key that runs again after {@link ABANDONED_MS}.
 *
 * @param schema schema of the answer
 * @throws ApiError 409 for a key of another content, 503 while the first call is still under way
 */
export async function onlyOnce<S extends TSchema>(
  keys: Keys,
  request: FastifyRequest,
  accountId: string,
  schema: S,
  { create, follow }: Creation<Static<S>>,
): Promise<Static<S>> {
  const answer = await createOnce(keys, request, accountId, schema, create);
  await follow(answer);
  return answer;
}

async function createOnce<S extends TSchema>(
  keys: Keys,
  request: FastifyRequest,
  accountId: string,
  schema: S,
  create: (tx: Queryable) => Promise<Static<S>>,
): Promise<Static<S>> {
  const { database, clock, timers } = keys;
  const key = request.headers["idempotency-key"];
  if (typeof key !== "string" || !KEY.test(key)) return database.transaction(create);
  const digest = sha256(`${accountId}\n${key}`);
  const { routeOptions, params, body } = request;
  // With the key, which is not stored: a body may contain a password.
  const content = createHmac("sha256", key)
    .update(JSON.stringify([routeOptions.url, params, body]))
    .digest("base64url");
  await database.query("delete from created_once where at < $1", [new Date(clock.now() - KEPT_MS)]);
  for (let waited = 0; ; waited += LOOK_MS) {
    const now = clock.now();
    // A time to come is of before the clock was set back: how old that call is, is not known.
    const claimed = await database.query(
      `insert into created_once (digest, content, at) values ($1, $2, $3)
       on conflict (digest) do update set at = excluded.at
         where created_once.answer is null and created_once.content = excluded.content
           and (created_once.at < $4 or created_once.at > excluded.at)
       returning digest`,
      [digest, content, new Date(now), new Date(now - ABANDONED_MS)],
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
      const stored = parseJson(schema, opened(key, row.answer));
      if (stored.ok) return stored.value;
      throw new Error(`the stored answer of ${request.routeOptions.url} is unreadable: ${stored.path}`);
    }
    if (waited >= WAIT_MS) throw underWay();
    await new Promise<void>((resolve) => void timers.after(LOOK_MS, resolve));
  }
  try {
    return await database.transaction(async (tx) => {
      const made = await create(tx);
      const kept = await tx.query(
        "update created_once set answer = $2 where digest = $1 and answer is null returning digest",
        [digest, sealed(key, JSON.stringify(made))],
      );
      // A repeated call that took this one for abandoned was faster.
      if (kept.length === 0) throw underWay();
      return made;
    });
  } catch (error) {
    // Without an answer nothing was created, whatever became of the commit: the same key may try again. A key that
    // cannot be freed now is free after a while.
    await database
      .query("delete from created_once where digest = $1 and answer is null", [digest])
      .catch((cause: unknown) => {
        request.log.warn({ event: "idempotency-key-kept", err: cause }, "cannot free an Idempotency-Key");
      });
    throw error;
  }
}
