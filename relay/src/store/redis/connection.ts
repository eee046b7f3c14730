import { Redis, type RedisOptions } from "ioredis";
import { createListeners } from "../../streams/listeners.ts";
import { NewerSchemaError, StoreUnavailableError } from "../errors.ts";
import { REDIS_LIMITS } from "./limits.ts";
import type { Script } from "./script.ts";

/** It was sent, and no answer came: it may have been done, or may be done yet. */
export class InDoubtError extends StoreUnavailableError {
  readonly isInDoubt = true;
}

/** The connection for commands, which is usable once `greet` has been through. */
export interface Connection {
  /** Redis answers and takes what it is given. */
  readonly available: boolean;
  onAvailable(listener: (available: boolean) => void): () => void;
  /** Rejects with a `StoreUnavailableError`; at once while there is no connection, else within seconds. */
  run(script: Script, keys: readonly string[], args?: readonly Argument[]): Promise<unknown>;
  /** The same for a plain command. */
  call(command: string, ...args: Argument[]): Promise<unknown>;
  /** Something was found to be wrong, or right again, other than by a failed call. */
  become(available: boolean): void;
  close(): Promise<void>;
}

export type Argument = string | number | Buffer;

/** What a Redis says that is there and cannot do it: full, loading, a replica, without rights. */
const REFUSALS =
  /^(OOM|READONLY|LOADING|MISCONF|BUSY|NOAUTH|NOPERM|WRONGPASS|MASTERDOWN|NOREPLICAS|CLUSTERDOWN|TRYAGAIN|MOVED)\b/;

/** An error of Redis carries the command, with passwords and sessions in it: neither may get into a log. */
function withoutCommand(error: unknown): unknown {
  if (!(error instanceof Error) || !("command" in error)) return error;
  return new Error(`Redis answered: ${error.message}`);
}

/** Reasons that are told of one outage, at most. */
const REASONS_TOLD = 8;

/** A Redis that says nothing is found out by whichever of several waits ends first: that is one reason, not four. */
const SILENCE = /timed? ?out|ETIMEDOUT|max retries per request/i;

const reasonOf = (error: unknown): string => {
  const text = String(error);
  return SILENCE.test(text) ? "silence" : text;
};

/**
 * Options of both connections. Nothing is queued while there is none and nothing is sent twice: the callers know
 * what is still worth sending. A socket that is silent too long is given up, as a frozen server keeps it open.
 */
export const redisOptions = (name: string): RedisOptions => ({
  connectionName: name,
  lazyConnect: true,
  enableOfflineQueue: false,
  autoResendUnfulfilledCommands: false,
  autoResubscribe: false,
  maxRetriesPerRequest: 0,
  commandTimeout: REDIS_LIMITS.commandMs,
  socketTimeout: REDIS_LIMITS.silentSocketMs,
  connectTimeout: REDIS_LIMITS.connectMs,
  keepAlive: 10_000,
  retryStrategy: (times) => Math.min(times * 100, REDIS_LIMITS.reconnectMs),
  // After a failover the old address may lead to a replica: only a new connection finds the master.
  reconnectOnError: (error) => error.message.startsWith("READONLY"),
});

export interface ConnectionParts {
  readonly url: string;
  /** Run on every new connection before anything else; one that rejects is given up. */
  readonly greet: (client: Redis) => Promise<void>;
  readonly onError: (error: unknown) => void;
}

export function openConnection({ url, greet, onError }: ConnectionParts): Connection {
  const client = new Redis(url, redisOptions("mulkko-relay"));
  const available = createListeners<boolean>(onError);
  let isGreeted = false;
  let isAvailable = false;
  let closed = false;
  /** What was told since the last greeting. Attempts to connect fail each second, in turns for the same few reasons. */
  const told = new Set<string>();
  const complain = (error: unknown): void => {
    const reason = reasonOf(error);
    if (closed || told.has(reason) || told.size >= REASONS_TOLD) return;
    told.add(reason);
    onError(withoutCommand(error));
  };
  const become = (now: boolean): void => {
    if (isAvailable === now || closed) return;
    isAvailable = now;
    available.call(now);
  };
  client.on("ready", () => {
    greet(client).then(
      () => {
        isGreeted = true;
        told.clear();
        become(true);
      },
      (error: unknown) => {
        complain(error);
        client.disconnect(!closed && !(error instanceof NewerSchemaError));
      },
    );
  });
  client.on("close", () => {
    isGreeted = false;
    become(false);
  });
  client.on("error", (error: Error) => {
    complain(error);
    become(false);
  });
  client.connect().catch(() => become(false));

  const asStoreError = (error: unknown): unknown => {
    if (!(error instanceof Error)) return error;
    if (error.name === "ReplyError") {
      if (!REFUSALS.test(error.message)) return withoutCommand(error);
      become(false);
      return new StoreUnavailableError(`Redis refuses: ${error.message}`);
    }
    become(false);
    return new InDoubtError(`Redis did not answer: ${error.message}`, { cause: error });
  };
  const guarded = async (send: () => Promise<unknown>): Promise<unknown> => {
    if (!isGreeted || client.status !== "ready")
      throw new StoreUnavailableError("There is no connection to Redis.");
    try {
      return await send();
    } catch (error) {
      throw asStoreError(error);
    }
  };

  return {
    get available() {
      return isAvailable;
    },
    onAvailable: available.add,
    run: (script, keys, args = []) =>
      guarded(async () => {
        try {
          return await client.evalsha(script.sha, keys.length, ...keys, ...args);
        } catch (error) {
          if (!(error instanceof Error && error.message.startsWith("NOSCRIPT"))) throw error;
          return await client.eval(script.source, keys.length, ...keys, ...args);
        }
      }),
    call: (command, ...args) => guarded(() => client.call(command, ...args)),
    become,
    async close() {
      become(false);
      closed = true;
      client.disconnect();
    },
  };
}
