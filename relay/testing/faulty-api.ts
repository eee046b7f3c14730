import { once } from "node:events";
import { createServer, type IncomingMessage, request, type ServerResponse } from "node:http";
import type { Clock } from "@mulkko/shared/rules/clock";

/** A fault of an API. */
export type Illness =
  | { readonly kind: "none" }
  | { readonly kind: "status"; readonly status: number; readonly retryAfter?: string }
  /** Accepts the request, and never answers. */
  | { readonly kind: "hangs" }
  /** Sends a byte now and then, for ever. */
  | { readonly kind: "drips" }
  /** Answers 200 with this text. */
  | { readonly kind: "says"; readonly text: string; readonly type: string }
  /** Breaks the connection instead of an answer. */
  | { readonly kind: "cuts" };

/** A proxy to a farm API that can show faults; its `Date` is that of the given clock. */
export interface FaultyApi {
  readonly origin: string;
  illness: Illness;
  /** Monotonic ms of each request on the given clock. */
  readonly asked: readonly number[];
  /** Number of requests being answered at present. */
  readonly open: number;
  /** Set the origin to which working requests are forwarded. */
  aim(origin: string): void;
  close(): Promise<void>;
}

const DRIP_MS = 100;

export async function startFaultyApi(clock: Clock): Promise<FaultyApi> {
  const asked: number[] = [];
  let target = "";
  let open = 0;

  const passOn = (from: IncomingMessage, to: ServerResponse): void => {
    const { method = "GET", headers } = from;
    const onward = request(new URL(from.url ?? "/", target), { method, headers }, (answer) => {
      to.writeHead(answer.statusCode ?? 500, {
        ...answer.headers,
        date: new Date(clock.now()).toUTCString(),
      });
      answer.pipe(to);
    });
    onward.on("error", () => to.destroy());
    from.pipe(onward);
  };
  const server = createServer((from, to) => {
    asked.push(clock.monotonic());
    open += 1;
    to.on("close", () => {
      open -= 1;
    });
    const { illness } = api;
    switch (illness.kind) {
      case "none":
        passOn(from, to);
        break;
      case "status":
        to.writeHead(illness.status, { ...(illness.retryAfter && { "retry-after": illness.retryAfter }) });
        to.end();
        break;
      case "hangs":
        break;
      case "drips": {
        to.writeHead(200, { "content-type": "application/json" });
        const dripping = setInterval(() => to.write(" "), DRIP_MS);
        to.on("close", () => clearInterval(dripping));
        break;
      }
      case "says":
        to.writeHead(200, { "content-type": illness.type });
        to.end(illness.text);
        break;
      case "cuts":
        from.socket.destroy();
        break;
    }
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("the API has no port");
  const api: FaultyApi = {
    origin: `http://127.0.0.1:${address.port}`,
    illness: { kind: "none" },
    asked,
    get open() {
      return open;
    },
    aim(origin) {
      target = origin;
    },
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
  return api;
}
