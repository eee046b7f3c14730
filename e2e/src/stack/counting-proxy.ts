import { createServer, request } from "node:http";

/** One request that a relay has sent to the farm API. */
export interface Asked {
  readonly method: string;
  readonly path: string;
  /** Whose way to the API this is. */
  readonly by: string;
  /** When it came, monotonic ms of this process. */
  readonly at: number;
}

/** Stands between relays and the farm API, and keeps what was asked, in order. */
export interface CountingProxy {
  readonly url: string;
  readonly asked: Asked[];
  close(): Promise<void>;
}

/**
 * @param apiUrl of the farm API, which need not answer yet
 * @param by whose way this is, where each relay has its own
 * @param asked kept by several of them together
 */
export async function startCountingProxy(
  apiUrl: string,
  by = "relays",
  asked: Asked[] = [],
): Promise<CountingProxy> {
  const server = createServer((from, back) => {
    const { method = "GET", url = "/", headers } = from;
    asked.push({ method, path: url, by, at: performance.now() });
    const onward = request(apiUrl + url, { method, headers }, (answer) => {
      back.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(back);
    });
    onward.on("error", () => back.destroy());
    back.on("close", () => onward.destroy());
    from.pipe(onward);
  });
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve);
  });
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("the proxy has no port");
  return {
    url: `http://127.0.0.1:${address.port}`,
    asked,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
