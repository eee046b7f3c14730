import { once } from "node:events";
import { createServer } from "node:http";
import { accountInfo } from "@mulkko/shared/rest/operations/account";
import { controllerList } from "@mulkko/shared/rest/operations/controllers";
import { clusterList } from "@mulkko/shared/rest/operations/farms";
import { notificationList } from "@mulkko/shared/rest/operations/notifications";
import { sensorList } from "@mulkko/shared/rest/operations/sensors";
import { buildAccount, buildLogEntry, buildSensor } from "@mulkko/shared/testing/builders";

/** A minimal farm API: accounts of one sensor each, and only the founding calls. */
export interface PlainApi {
  readonly url: string;
  readonly tokens: readonly string[];
  /** Requests by path. */
  readonly asked: ReadonlyMap<string, number>;
  /** Value of all sensors from now on. */
  measure(moisture: number): void;
  close(): Promise<void>;
}

const SEOUL_MS = 9 * 3_600_000;
const inSeoul = (at: number): string => new Date(at + SEOUL_MS).toISOString().slice(0, 19).replace("T", " ");

export async function startPlainApi(accounts: number): Promise<PlainApi> {
  const tokens = Array.from({ length: accounts }, (_, n) => `token-${n}`);
  const asked = new Map<string, number>();
  let moisture = 30;
  let measuredAt = Date.now() - 60_000;

  const answer = (path: string, n: number): unknown => {
    switch (path) {
      case accountInfo.path:
        return buildAccount({ id: `account-${n}`, username: `farmer-${n}` });
      case sensorList.path: {
        const latestLog = buildLogEntry({ moisture, createdDate: inSeoul(measuredAt) });
        return [buildSensor({ id: `sensor-${n}`, latestLog })];
      }
      case clusterList.path:
      case controllerList.path:
      case notificationList.path:
        return [];
      default:
        return undefined;
    }
  };
  const server = createServer((request, response) => {
    const path = request.url ?? "";
    asked.set(path, (asked.get(path) ?? 0) + 1);
    const n = tokens.indexOf(request.headers.authorization?.replace("Bearer ", "") ?? "");
    const body = n < 0 ? undefined : answer(path, n);
    if (body === undefined) response.writeHead(n < 0 ? 401 : 404).end();
    else response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(body));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("the API has no port");
  return {
    url: `http://127.0.0.1:${address.port}`,
    tokens,
    asked,
    measure(value) {
      moisture = value;
      measuredAt = Date.now();
    },
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}
