import { createServer, type IncomingHttpHeaders, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** A request received by the API. */
export interface ApiRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

/** An API on a real socket with answers set by a test. */
export interface FakeApi {
  readonly origin: string;
  readonly requests: ApiRequest[];
  answer(respond: (request: ApiRequest, response: ServerResponse) => void): void;
  close(): Promise<void>;
}

export async function startFakeApi(): Promise<FakeApi> {
  const requests: ApiRequest[] = [];
  let respond: (request: ApiRequest, response: ServerResponse) => void = (_request, response) =>
    response.end();
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("error", () => response.destroy());
    request.on("end", () => {
      const { method = "", url = "", headers } = request;
      const seen = { method, url, headers, body: Buffer.concat(chunks) };
      requests.push(seen);
      respond(seen, response);
    });
  });
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve);
  });
  const address = server.address() satisfies string | AddressInfo | null;
  if (address === null || typeof address === "string") throw new Error("the fake API has no port");
  return {
    origin: `http://127.0.0.1:${address.port}`,
    requests,
    answer(next) {
      respond = next;
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
