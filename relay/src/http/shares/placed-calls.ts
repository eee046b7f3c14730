import { AsyncLocalStorage } from "node:async_hooks";
import type { FastifyHttpProxyOptions } from "@fastify/http-proxy";
import type { Timers } from "@mulkko/shared/rules/clock";
import type { FastifyReply, FastifyRequest } from "fastify";
import { Agent, type Dispatcher } from "undici";
import { type Holder, Places } from "../../runtime/places.ts";
import { goneSignal } from "./own-turn.ts";
import { CALL_POOLS, type CallPool } from "./pools.ts";

/** Time-out for the farm API's first byte, and between two chunks of an answer, ms. */
const HEADERS_TIMEOUT_MS = 30_000;
const BODY_TIMEOUT_MS = 60_000;

const READS = ["GET", "HEAD"];

/** Connections of one pool. */
export type Connections = Pick<Agent, "request" | "destroy">;

/** Opens the connections of a pool. */
export type Connect = (pool: CallPool) => Connections;

const connectByHttp: Connect = (pool) =>
  new Agent({
    connections: CALL_POOLS[pool].all,
    headersTimeout: HEADERS_TIMEOUT_MS,
    bodyTimeout: BODY_TIMEOUT_MS,
  });

interface Call {
  readonly agent: Connections;
  readonly release: () => void;
  /** Ends a call that only reads; a write is carried out also for a caller who has gone. */
  readonly gone: AbortSignal | null;
  isSent: boolean;
}

type Answered = (error: Error | null, answer: Dispatcher.ResponseData) => void;

/**
 * The connections of the proxies to the farm API, and the places on them (SHARE-1). A place is held until the
 * farm API has answered completely, or the call has failed, also where its caller has gone before.
 *
 * ```
 *   waiting ──▶ held ──sent──▶ with the farm API ──answer complete, or failed──▶ released
 *                └─ refused or gone before it is sent ──────────────────────────▶ released
 * ```
 */
export class PlacedCalls {
  readonly places: { readonly [Pool in CallPool]: Places };
  readonly #agents: { readonly [Pool in CallPool]: Connections };
  readonly #calls = new WeakMap<FastifyRequest, Call>();
  readonly #beingSent = new AsyncLocalStorage<Call>();

  constructor(timers: Timers, connect: Connect = connectByHttp) {
    const poolOf = (pool: CallPool) => new Places(CALL_POOLS[pool], timers);
    this.places = {
      account: poolOf("account"),
      stranger: poolOf("stranger"),
      "sign-in": poolOf("sign-in"),
      image: poolOf("image"),
    };
    this.#agents = {
      account: connect("account"),
      stranger: connect("stranger"),
      "sign-in": connect("sign-in"),
      image: connect("image"),
    };
  }

  /** Options of a proxy whose calls are sent on these connections. */
  get options(): Required<Pick<FastifyHttpProxyOptions, "undici" | "handler">> {
    return {
      undici: { request: this.#request as Dispatcher["request"] },
      handler: (request, reply, destination, options) =>
        this.send(request, () => reply.from(destination, options)),
    };
  }

  /** Wait for a place for a request. @throws NoPlaceError */
  async take(pool: CallPool, holder: Holder, request: FastifyRequest, reply: FastifyReply): Promise<void> {
    const gone = goneSignal(request.raw.socket);
    const release = await this.places[pool].take(holder, 1, gone);
    const agent = this.#agents[pool];
    const call: Call = { agent, release, gone: READS.includes(request.method) ? gone : null, isSent: false };
    this.#calls.set(request, call);
    const end = (): void => {
      if (!call.isSent) release();
    };
    if (reply.raw.destroyed) end();
    else reply.raw.once("close", end);
  }

  /** Send a request that has a place, within `begin`. */
  send<T>(request: FastifyRequest, begin: () => T): T {
    const call = this.#calls.get(request);
    if (!call) throw new Error("a call to the farm API has no place");
    return this.#beingSent.run(call, begin);
  }

  async close(): Promise<void> {
    await Promise.all(Object.values(this.#agents).map((agent) => agent.destroy()));
  }

  readonly #request = (options: Dispatcher.RequestOptions, answered: Answered): void => {
    const call = this.#beingSent.getStore();
    if (!call) throw new Error("a call to the farm API has no place");
    call.isSent = true;
    call.agent.request({ ...options, signal: call.gone }, (error, answer) => {
      if (error) call.release();
      else answer.body.once("close", call.release);
      answered(error, answer);
    });
  };
}
