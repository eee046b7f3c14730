import type { Account } from "@mulkko/shared/entities/account";
import type { Controller } from "@mulkko/shared/entities/controller";
import type { Farm } from "@mulkko/shared/entities/farm";
import type { LogEntry } from "@mulkko/shared/entities/log-entry";
import type { Notification } from "@mulkko/shared/entities/notification";
import type { Sensor } from "@mulkko/shared/entities/sensor";
import type { AccessChange } from "@mulkko/shared/rest/access-changes";
import type { RelayAuditEntry } from "@mulkko/shared/rest/admin";
import type { Extension } from "@mulkko/shared/rest/capabilities";
import { VALVE_ACCOUNTS_A_PAGE } from "@mulkko/shared/rest/valve-accounts";
import { buildAccount } from "@mulkko/shared/testing/builders";
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from "fastify";

/** The content of one account. Tests change it in place; the next request sees it. */
export interface FakeApiAccount {
  account: Account;
  token: string;
  /** True to answer every call with 403. */
  disabled?: boolean;
  farms: Farm[];
  sensors: Sensor[];
  controllers: Controller[];
  notifications: Notification[];
  /** By sensor id; absent: 404. */
  latestMqtt: Map<string, LogEntry | null>;
  /** By `serial/channelId`; absent: 404. */
  states: Map<string, Readonly<Record<string, unknown>>>;
  moistures: Map<string, number | null>;
  /** By `id/number`. */
  cotLogs: Map<string, readonly Readonly<Record<string, unknown>>[]>;
}

/** A request received by the API. */
export interface FakeApiCall {
  readonly method: string;
  readonly path: string;
  readonly token: string | undefined;
  readonly body: unknown;
}

/** A farm API of the plain contract on a real socket, with switches for its extensions and its failures. */
export interface FakeFarmApi {
  readonly origin: string;
  readonly accounts: FakeApiAccount[];
  readonly calls: FakeApiCall[];
  extensions: Extension[] | null;
  relayKey: string | undefined;
  /** Changes that the API reports to a relay that asks for them (`relay-access`). */
  readonly accessChanges: AccessChange[];
  /** The relay's reports of administrators' actions. */
  readonly auditEntries: RelayAuditEntry[];
  /** The answer to every request, if set. */
  failWith: { status: number; headers?: Record<string, string> } | null;
  /** ms by which its clock, sent in `Date`, is ahead of the real one. */
  dateAheadMs: number;
  /** Requests wait for this promise before they are answered. */
  hold: Promise<void> | null;
  /** True to set the state of a commanded channel as a device would. */
  obeys: boolean;
  count(path: string | RegExp): number;
  close(): Promise<void>;
}

export function buildFakeAccount(change: Partial<FakeApiAccount> = {}): FakeApiAccount {
  return {
    account: buildAccount(),
    token: "token-farmer",
    farms: [],
    sensors: [],
    controllers: [],
    notifications: [],
    latestMqtt: new Map(),
    states: new Map(),
    moistures: new Map(),
    cotLogs: new Map(),
    ...change,
  };
}

const RELAY_TOKEN = "relay-token:";

export async function startFakeFarmApi(accounts: FakeApiAccount[], port = 0): Promise<FakeFarmApi> {
  const app: FastifyInstance = Fastify({ forceCloseConnections: true });
  const calls: FakeApiCall[] = [];
  const tokenOf = (request: FastifyRequest): string | undefined =>
    request.headers.authorization?.replace("Bearer ", "");
  const callerOf = (request: FastifyRequest): FakeApiAccount | undefined => {
    const token = tokenOf(request);
    return accounts.find((one) => one.token === token || token === `${RELAY_TOKEN}${String(one.account.id)}`);
  };
  const refuse = (reply: FastifyReply, status: number, code: string) =>
    reply.code(status).send({ status, error: code, code, message: code });

  app.addHook("onRequest", async (request, reply) => {
    calls.push({ method: request.method, path: request.url, token: tokenOf(request), body: undefined });
    if (fake.hold) await fake.hold;
    if (fake.failWith) {
      reply.headers(fake.failWith.headers ?? {});
      return refuse(reply, fake.failWith.status, "internal");
    }
    const isOpen = request.url.startsWith("/api/v1/capabilities") || request.url.startsWith("/api/v1/relay/");
    if (!isOpen && !callerOf(request)) return refuse(reply, 401, "unauthorized");
    if (callerOf(request)?.disabled) return refuse(reply, 403, "account-disabled");
    return undefined;
  });
  app.addHook("onSend", async (_request, reply) => {
    reply.header("date", new Date(Date.now() + fake.dateAheadMs).toUTCString());
  });
  const get = (path: string, answer: (caller: FakeApiAccount, params: Record<string, string>) => unknown) =>
    app.get<{ Params: Record<string, string> }>(path, async (request, reply) => {
      const caller = callerOf(request);
      const value = caller && answer(caller, request.params);
      if (value === undefined) return refuse(reply, 404, "not-found");
      return reply.type("application/json").send(JSON.stringify(value));
    });

  app.get("/api/v1/capabilities", async (_request, reply) =>
    fake.extensions ? { extensions: fake.extensions } : refuse(reply, 404, "not-found"),
  );
  app.post<{ Body: { userId: string } }>("/api/v1/relay/session", async (request, reply) => {
    if (request.headers.relaykey !== fake.relayKey) return refuse(reply, 401, "unauthorized");
    const { userId } = request.body;
    const found = accounts.find(({ account }) => String(account.id) === userId);
    if (!found) return refuse(reply, 404, "not-found");
    if (found.disabled) return refuse(reply, 403, "account-disabled");
    return { accessToken: `${RELAY_TOKEN}${userId}` };
  });
  app.get<{ Querystring: { after?: string } }>("/api/v1/relay/accounts", async (request, reply) => {
    if (request.headers.relaykey !== fake.relayKey) return refuse(reply, 401, "unauthorized");
    const withValves = accounts.filter(({ controllers }) => controllers.length > 0);
    const { after } = request.query;
    const from = withValves.findIndex(({ account }) => String(account.id) === after) + 1;
    const page = withValves.slice(from, from + VALVE_ACCOUNTS_A_PAGE);
    return {
      accounts: page.map(({ account, controllers, disabled = false }) => ({
        userId: account.id,
        devices: controllers.length,
        disabled,
      })),
      next: from + page.length < withValves.length ? String(page.at(-1)?.account.id) : null,
    };
  });
  app.get<{ Querystring: { since?: string } }>("/api/v1/relay/access", async (request, reply) => {
    if (request.headers.relaykey !== fake.relayKey) return refuse(reply, 401, "unauthorized");
    const { since = "" } = request.query;
    return {
      at: new Date().toISOString(),
      changes: fake.accessChanges.filter(({ at }) => at >= since),
    };
  });
  app.post<{ Body: RelayAuditEntry }>("/api/v1/relay/audit", async (request, reply) => {
    if (request.headers.relaykey !== fake.relayKey) return refuse(reply, 401, "unauthorized");
    fake.auditEntries.push(request.body);
    return reply.code(204).send();
  });
  app.get("/api/account/logout", async (request, reply) => {
    const caller = callerOf(request);
    if (caller) caller.token = `${caller.token}, revoked`;
    return reply.code(204).send();
  });
  app.delete<{ Params: { id: string } }>("/api/v1/admin/user/delete/:id", async ({ params }, reply) => {
    const at = accounts.findIndex(({ account }) => String(account.id) === params.id);
    if (at >= 0) accounts.splice(at, 1);
    return reply.code(204).send();
  });
  app.put("/api/v1/admin/user/:action/:id", async (_request, reply) => reply.code(204).send());
  get("/api/account/info", (caller) => caller.account);
  get("/api/v1/cluster/list", (caller) => caller.farms);
  get("/api/v1/sensor/list", (caller) => caller.sensors);
  get("/api/v1/controller", (caller) => caller.controllers);
  get("/api/v1/controller/:id", (caller, { id }) => caller.controllers.find((one) => String(one.id) === id));
  get("/api/v1/admin/sensors", (caller) =>
    caller.account.userType === "ADMIN" ? accounts.flatMap(({ sensors }) => sensors) : undefined,
  );
  app.get<{ Querystring: { page?: string; size?: string } }>(
    "/api/v1/admin/devices",
    async (request, reply) => {
      if (callerOf(request)?.account.userType !== "ADMIN") return refuse(reply, 403, "forbidden");
      const devices = accounts.flatMap(({ account: { username }, sensors }) =>
        sensors.map((sensor) => ({ ...sensor, kind: "sensor", username })),
      );
      const [page, size] = [Number(request.query.page ?? 1), Number(request.query.size ?? 20)];
      return { content: devices.slice((page - 1) * size, page * size), totalElements: devices.length };
    },
  );
  get("/api/v1/noti/list", (caller) => caller.notifications);
  get("/api/v1/sensor/read/log/:id/latest", (caller, { id }) => {
    const sensor = caller.sensors.find((one) => String(one.id) === id);
    return sensor && (sensor.latestLog ?? null);
  });
  get("/api/v1/sensor/read/log/:id/latest/mqtt", (caller, { id = "" }) => caller.latestMqtt.get(id));
  get("/api/v1/controller/:serial/channel/:channel/refresh", (caller, { serial, channel }) =>
    caller.states.get(`${serial}/${channel}`),
  );
  get("/api/v1/sensor/channel/:id/moisture", (caller, { id = "" }) => caller.moistures.get(id) ?? null);
  get("/api/v1/sensor/read/log/cot/:id/ch/:number/:start/:end", (caller, { id, number }) => ({
    data: caller.cotLogs.get(`${id}/${number}`) ?? [],
  }));
  for (const form of ["controller", "sensor"]) {
    app.post<{ Body: { uuid: string; command: string; channel: number; payload: number } }>(
      `/api/v1/${form}/cmd`,
      async (request) => {
        const caller = callerOf(request);
        const { uuid, channel, command, payload } = request.body;
        calls.push({ method: "BODY", path: request.url, token: tokenOf(request), body: request.body });
        const controller = caller?.controllers.find((one) => String(one.id) === uuid);
        const place = controller?.channels?.find((one) => one.channelNumber === channel);
        if (fake.obeys && command === "onoff" && controller && place) {
          const key = `${controller.serial}/${place.id}`;
          caller?.states.set(key, { ...caller.states.get(key), onoff: payload });
        }
        return { commandId: request.headers["idempotency-key"] };
      },
    );
  }

  const fake: FakeFarmApi = {
    origin: "",
    accounts,
    calls,
    extensions: null,
    relayKey: undefined,
    accessChanges: [],
    auditEntries: [],
    failWith: null,
    dateAheadMs: 0,
    hold: null,
    obeys: false,
    count: (path) =>
      calls.filter((call) => (typeof path === "string" ? call.path === path : path.test(call.path))).length,
    close: () => app.close(),
  };
  const origin = await app.listen({ host: "127.0.0.1", port });
  return Object.assign(fake, { origin });
}
