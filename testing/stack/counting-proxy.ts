import { createServer, request } from "node:http";
import { parseJson } from "@mulkko/shared/schema/parse";
import { Type } from "typebox";

/** One request of a relay to the farm API. */
export interface Asked {
  readonly method: string;
  readonly path: string;
  /** Account of its token; null without one: the relay polls all accounts with valves. */
  readonly account: string | null;
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

const Claims = Type.Object({ sub: Type.String() });

/** Return the account that the bundled farm API's token names. */
function accountIn(authorization: string | undefined): string | null {
  const claims = authorization?.split(".")[1];
  if (claims === undefined) return null;
  const parsed = parseJson(Claims, Buffer.from(claims, "base64url").toString());
  return parsed.ok ? parsed.value.sub : null;
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
    const account = accountIn(headers.authorization);
    asked.push({ method, path: url, account, by, at: performance.now() });
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
