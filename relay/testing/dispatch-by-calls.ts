import { Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import { Dispatcher } from "undici";

/** A call of a proxy to the farm API. */
export interface ProxiedCall {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | null;
}

export interface ProxiedAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

function headersOf(headers: unknown): Record<string, string> {
  if (typeof headers !== "object" || headers === null || Array.isArray(headers)) return {};
  // As undici, which sends no header without a value.
  const own = Object.entries(headers).filter(([, value]) => value !== undefined);
  return Object.fromEntries(own.map(([name, value]) => [name, String(value)]));
}

/** A connection of the proxies whose calls something else than a socket carries. */
export class DispatchByCalls extends Dispatcher {
  readonly #send: (call: ProxiedCall, signal: AbortSignal) => Promise<ProxiedAnswer>;

  constructor(send: (call: ProxiedCall, signal: AbortSignal) => Promise<ProxiedAnswer>) {
    super();
    this.#send = send;
  }

  override dispatch(options: Dispatcher.DispatchOptions, handler: Dispatcher.DispatchHandler): boolean {
    const gone = new AbortController();
    handler.onConnect?.((error) => gone.abort(error));
    this.#exchange(options, handler, gone.signal).catch((error: unknown) =>
      handler.onError?.(error instanceof Error ? error : new Error(String(error))),
    );
    return true;
  }

  async #exchange(
    { method, path, headers, body }: Dispatcher.DispatchOptions,
    handler: Dispatcher.DispatchHandler,
    signal: AbortSignal,
  ): Promise<void> {
    const sent = body instanceof Readable ? (await buffer(body)).toString() : body ? String(body) : null;
    const call = { method, url: path, headers: headersOf(headers), body: sent };
    const answer = await this.#send(call, signal);
    const raw = Object.entries(answer.headers).flatMap(([name, value]) => [
      Buffer.from(name),
      Buffer.from(value),
    ]);
    handler.onHeaders?.(answer.status, raw, () => undefined, "");
    if (answer.body !== "") handler.onData?.(Buffer.from(answer.body));
    handler.onComplete?.([]);
  }

  override async destroy(): Promise<void> {
    // Nothing is open.
  }
}
