import { createServer, request } from "node:http";

/** One request of a relay to the farm API. */
export interface Asked {
  readonly method: string;
  readonly path: string;
  /** Name of the relay. */
  readonly by: string;
  /** Time of arrival, monotonic ms of this process. */
  readonly at: number;
}

/** A proxy between relays and the farm API that records the requests, in order. */
export interface CountingProxy {
  readonly url: string;
  readonly asked: Asked[];
  close(): Promise<void>;
}

/**
 * @param apiUrl of the farm API, which need not answer yet
 * @param by name of the relay, if each relay has its own proxy
 * @param asked record that several proxies share
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
