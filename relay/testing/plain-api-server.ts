import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import {
  buildPlainFarm,
  createPlainApiCalls,
  type PlainApiCalls,
  type PlainApiRequest,
  type PlainFarm,
} from "./plain-api.ts";

/** The API without extensions on a real socket. */
export interface PlainApi extends PlainApiCalls {
  readonly origin: string;
  readonly requests: PlainApiRequest[];
  /** Number of requests at present, and its maximum so far. */
  readonly load: { now: number; most: number };
  /** Requests wait for this promise before they are answered. */
  hold: Promise<void> | null;
  count(path: RegExp): number;
  close(): Promise<void>;
}

/**
 * Start the API.
 * @param accessToken valid from the start, besides those of logins
 * @param port 0 uses any free one
 */
export async function startPlainApi(
  farm: PlainFarm = buildPlainFarm(),
  accessToken = "bare-token",
  port = 0,
): Promise<PlainApi> {
  const requests: PlainApiRequest[] = [];
  const load = { now: 0, most: 0 };
  const calls = createPlainApiCalls(farm, { accessToken });
  const respond = async (request: PlainApiRequest, raw: IncomingMessage, response: ServerResponse) => {
    if (api.hold) await api.hold;
    if (api.habits.slowMs > 0) await sleep(api.habits.slowMs);
    const answer = api.answer(request, raw.headers);
    if (answer === null) response.destroy();
    else response.writeHead(answer.status, { ...answer.headers }).end(answer.body);
  };
  const server = createServer((raw, response) => {
    const chunks: Buffer[] = [];
    load.now += 1;
    load.most = Math.max(load.most, load.now);
    response.once("close", () => {
      load.now -= 1;
    });
    raw.on("data", (chunk: Buffer) => chunks.push(chunk));
    raw.on("error", () => response.destroy());
    raw.on("end", () => {
      const request = {
        method: raw.method ?? "",
        path: decodeURIComponent(raw.url ?? ""),
        token: raw.headers.authorization?.replace(/^Bearer /, ""),
        body: Buffer.concat(chunks).toString("utf8"),
      };
      requests.push(request);
      respond(request, raw, response).catch((error: unknown) => response.destroy(new Error(String(error))));
    });
  });
  await new Promise<void>((resolve) => {
    server.listen(port, "127.0.0.1", resolve);
  });
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("the bare API has no port");
  const hold: PlainApi["hold"] = null;
  const api: PlainApi = Object.assign(calls, {
    origin: `http://127.0.0.1:${address.port}`,
    requests,
    load,
    hold,
    count: (path: RegExp) => requests.filter((request) => path.test(request.path)).length,
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  });
  return api;
}
