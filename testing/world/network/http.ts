import type { Line } from "./line.ts";
import { Wire } from "./line.ts";
import type { Machine } from "./machine.ts";
import type { WorldTime } from "./world-time.ts";

const METHODS = ["GET", "POST", "PUT", "DELETE", "HEAD"] as const;
type Method = (typeof METHODS)[number];

/** An answer that needed no socket. */
export interface Injected {
  readonly statusCode: number;
  readonly headers: object;
  readonly body: string;
}

/** A server that takes requests without a socket, as Fastify does. */
export interface Injectable {
  inject(request: {
    method: Method;
    url: string;
    headers: Record<string, string>;
    payload?: string;
  }): Promise<Injected>;
}

/** A machine with a server; null while none listens. */
export interface Host {
  readonly machine: Machine;
  readonly server: Injectable | null;
}

/** A call by HTTP. */
export interface HttpCall {
  readonly method: string;
  /** Path and query. */
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | null;
  readonly signal: AbortSignal | null;
}

export interface HttpAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** An error as Node's fetch throws it. */
const failed = (code: string): TypeError =>
  new TypeError("fetch failed", { cause: Object.assign(new Error(code), { code }) });

/** Methods whose calls say that they have no body. */
const BODY_METHODS: ReadonlySet<string> = new Set(["POST", "PUT", "PATCH"]);

const NO_BODY = new Set([101, 204, 205, 304]);

function methodOf(name: string): Method {
  const method = METHODS.find((known) => known === name);
  if (method === undefined) throw new Error(`the world knows no ${name}`);
  return method;
}

function answerOf(response: Injected, now: number): HttpAnswer {
  const headers: Record<string, string> = {};
  for (const [name, value] of Object.entries(response.headers)) {
    if (value !== undefined) headers[name] = String(value);
  }
  // Node's own is of the clock of this process.
  headers.date = new Date(now).toUTCString();
  return { status: response.statusCode, headers, body: response.body };
}

/**
 * Call a server over a line. A call without an answer waits until its caller gives up, or its
 * connection breaks; the server may have carried it out.
 */
export function callOver(line: Line, time: WorldTime, host: Host, call: HttpCall): Promise<HttpAnswer> {
  const { promise, resolve, reject } = Promise.withResolvers<HttpAnswer>();
  const { signal } = call;
  const refuse = (code: string): void => line.refuse(() => reject(failed(code)));
  if (signal?.aborted) {
    reject(signal.reason);
    return promise;
  }
  if (line.isCut) {
    refuse("ENETUNREACH");
    return promise;
  }
  const wire = new Wire(
    line,
    time,
    { near: () => reject(failed("ECONNRESET")), far: () => undefined },
    { isNew: false, far: host.machine },
  );
  const giveUp = (): void => {
    wire.near.close();
    reject(signal?.reason);
  };
  signal?.addEventListener("abort", giveUp, { once: true });
  const end = (): void => {
    signal?.removeEventListener("abort", giveUp);
    wire.near.close();
  };
  promise.then(end, end);
  if (!host.machine.isOn) {
    refuse("ECONNREFUSED");
    return promise;
  }
  wire.near.send(() => {
    const there = host.server;
    if (there === null) {
      refuse("ECONNREFUSED");
      return;
    }
    there
      .inject({
        method: methodOf(call.method),
        url: call.url,
        headers: { ...call.headers },
        ...(call.body === null ? {} : { payload: call.body }),
      })
      .then(
        (response) => wire.far.send(() => resolve(answerOf(response, host.machine.clock.now()))),
        () => wire.far.close(),
      );
  });
  return promise;
}

const headersOf = (init: RequestInit | undefined): Record<string, string> =>
  Object.fromEntries(new Headers(init?.headers).entries());

/**
 * Return a `fetch` over a line, for relays and browsers.
 *
 * @param hostOf returns the host of one call
 */
export const fetchOver =
  (line: Line, time: WorldTime, hostOf: () => Host) =>
  async (input: string | URL | Request, init?: RequestInit): Promise<Response> => {
    const url = new URL(input instanceof Request ? input.url : input, "http://world");
    const body = init?.body ?? null;
    if (body !== null && typeof body !== "string") {
      if (!(body instanceof URLSearchParams)) throw new Error("the world sends text only");
    }
    const headers = headersOf(init);
    // As Node and browsers do.
    if (body === null && BODY_METHODS.has(init?.method ?? "GET")) headers["content-length"] = "0";
    if (body instanceof URLSearchParams) headers["content-type"] ??= "application/x-www-form-urlencoded";
    const answer = await callOver(line, time, hostOf(), {
      method: init?.method ?? "GET",
      url: url.pathname + url.search,
      headers,
      body: body === null ? null : String(body),
      signal: init?.signal ?? null,
    });
    return new Response(NO_BODY.has(answer.status) ? null : answer.body, {
      status: answer.status,
      headers: answer.headers,
    });
  };
