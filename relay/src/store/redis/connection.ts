import { OutageReasons } from "@mulkko/shared/server/outage-reasons";
import { Redis, type RedisOptions } from "ioredis";
import { NewerSchemaError, StoreUnavailableError } from "../errors.ts";
import { createListeners } from "../streams/listeners.ts";
import { REDIS_LIMITS } from "./limits.ts";
import type { Script } from "./script.ts";

/** A command was sent without an answer: it may have been done, or may still be. */
export class InDoubtError extends StoreUnavailableError {
  readonly isInDoubt = true;
}

/** The connection for commands, usable after `prepare` has succeeded. */
export interface Connection {
  /** True while Redis answers and accepts writes. */
  readonly available: boolean;
  onAvailable(listener: (available: boolean) => void): () => void;
  /**
   * Run a script. Rejects with a `StoreUnavailableError`: at once without a connection, else within seconds.
   */
  run(script: Script, keys: readonly string[], args?: readonly Argument[]): Promise<unknown>;
  /** Run a plain command in the same way. */
  call(command: string, ...args: Argument[]): Promise<unknown>;
  /** Set the availability found by other means than a failed call. */
  become(available: boolean): void;
  close(): Promise<void>;
}

export type Argument = string | number | Buffer;

/** The part of a Redis client that the store uses; it behaves as ioredis with `redisOptions`. */
export interface RedisClient {
  readonly status: string;
  on(event: "ready" | "close", listener: () => void): unknown;
  on(event: "error", listener: (error: Error) => void): unknown;
  on(event: "messageBuffer", listener: (channel: Buffer, message: Buffer) => void): unknown;
  /** Resolves when it is ready; rejects if the first attempt fails, after which it goes on by itself. */
  connect(): Promise<void>;
  /** @param reconnect true to connect again as after a lost connection */
  disconnect(reconnect?: boolean): void;
  call(command: string, ...args: Argument[]): Promise<unknown>;
  ping(): Promise<unknown>;
  subscribe(...channels: string[]): Promise<unknown>;
  unsubscribe(...channels: string[]): Promise<unknown>;
}

/** Creates a client, which does not connect yet. */
export type CreateClient = (url: string, options: RedisOptions) => RedisClient;

export const createRedisClient: CreateClient = (url, options) => new Redis(url, options);

/**
 * Errors of one command itself: it is wrong, or the value under its key is, and it would fail again. Any other
 * error, known or unknown, means that Redis cannot serve now: full, loading, a replica, too many clients, or
 * without permission (KEEP-5).
 */
const OF_THE_COMMAND =
  /^(WRONGTYPE|CROSSSLOT|NOPROTO|EXECABORT|ERR (syntax error|wrong number of arguments|unknown (sub)?command|value is not|Error compiling script|user_script|Error running script|index out of range|no such key))/i;

/** Return true for a Redis error of the command itself, which would fail again. */
export const isOfTheCommand = (message: string): boolean => OF_THE_COMMAND.test(message);

/** Remove the command from an error of Redis: it holds passwords and sessions, which must not be logged. */
function withoutCommand(error: unknown): unknown {
  if (!(error instanceof Error) || !("command" in error)) return error;
  return new Error(`Redis answered: ${error.message}`);
}

/** Errors of a cluster of several nodes, to which this connection is not made. */
const OF_A_CLUSTER = /^(MOVED|ASK|CLUSTERDOWN)\b/;

const asReason = (error: unknown): unknown =>
  error instanceof Error && OF_A_CLUSTER.test(error.message)
    ? new Error(
        `Redis is a cluster of several nodes, which is not supported: take one server (${error.message})`,
      )
    : withoutCommand(error);

/**
 * Options of both connections. Without a connection nothing is queued, and nothing is sent twice: the callers
 * know what is still worth sending. A silent socket is closed, because a frozen server keeps it open.
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

export interface ConnectionDeps {
  readonly url: string;
  readonly createClient: CreateClient;
  /** Prepare every new connection before its use; a rejection closes it. */
  readonly prepare: (client: RedisClient) => Promise<void>;
  readonly onError: (error: unknown) => void;
  /** Called with each reason of an outage, once. */
  readonly onOutage: (reason: string) => void;
}

export function openConnection({
  url,
  createClient,
  prepare,
  onError,
  onOutage,
}: ConnectionDeps): Connection {
  const client = createClient(url, redisOptions("mulkko-relay"));
  const available = createListeners<boolean>(onError);
  let isPrepared = false;
  let isAvailable = false;
  let closed = false;
  const reasons = new OutageReasons(onOutage);
  const complain = (error: unknown): void => {
    if (!closed) reasons.failed(asReason(error));
  };
  const become = (now: boolean): void => {
    if (isAvailable === now || closed) return;
    isAvailable = now;
    if (now) reasons.over();
    available.call(now);
  };
  client.on("ready", () => {
    prepare(client).then(
      () => {
        isPrepared = true;
        become(true);
      },
      (error: unknown) => {
        complain(error);
        client.disconnect(!closed && !(error instanceof NewerSchemaError));
      },
    );
  });
  client.on("close", () => {
    isPrepared = false;
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
      if (isOfTheCommand(error.message)) return withoutCommand(error);
      complain(error);
      become(false);
      return new StoreUnavailableError(`Redis refuses: ${error.message}`);
    }
    complain(error);
    become(false);
    return new InDoubtError(`Redis did not answer: ${error.message}`, { cause: error });
  };
  const guarded = async (send: () => Promise<unknown>): Promise<unknown> => {
    if (!isPrepared || client.status !== "ready")
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
          return await client.call("EVALSHA", script.sha, keys.length, ...keys, ...args);
        } catch (error) {
          if (!(error instanceof Error && error.message.startsWith("NOSCRIPT"))) throw error;
          return await client.call("EVAL", script.source, keys.length, ...keys, ...args);
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
