/**
 * A farm API of the kind that the relay has to live with: nothing but the calls that the founding documents name,
 * no extensions, times in Korea's clock without a zone, `refeshToken` spelt so, lists without a wrapping, and empty
 * bodies where no answer is shown. It shares no code with the product, so that neither covers the other's mistakes.
 * Long because the whole of such an API stands in one table: whoever asks what it offers reads it here.
 */
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";

type Json = Readonly<Record<string, unknown>>;
/** A row of a log: when (ms UTC), and its fields. */
export interface BareRow {
  readonly at: number;
  readonly fields: Json;
}

/** What the one account has. Tests change it in place; the next request sees it. */
export interface BareFarm {
  account: Json;
  username: string;
  password: string;
  farms: Json[];
  sensors: Json[];
  controllers: Json[];
  notifications: Json[];
  /** By sensor id. */
  logs: Map<string, BareRow[]>;
  /** By `id/channel number`. */
  cotLogs: Map<string, BareRow[]>;
  /** By `serial/channel id`. */
  states: Map<string, Json>;
  /** By channel id. */
  moistures: Map<string, number>;
  /** By `channel id/trigger`, `…/reservation`, `…/period`. */
  settings: Map<string, Json>;
}

export interface BareRequest {
  readonly method: string;
  /** Decoded, with its query. */
  readonly path: string;
  readonly token: string | undefined;
  readonly body: string;
}

export interface BareApi {
  readonly origin: string;
  readonly farm: BareFarm;
  readonly requests: BareRequest[];
  /** Requests under way now, and the most that ever were. */
  readonly load: { now: number; most: number };
  /** Answers every request with this status, if set. */
  failWith: number | null;
  /** Requests wait for it before they are answered. */
  hold: Promise<void> | null;
  /** Access tokens that count; a login or refresh adds one, a logout takes it away. */
  readonly tokens: Set<string>;
  /** Refresh tokens that count: each is good for one refresh. */
  readonly refreshTokens: Set<string>;
  /** What `account/login` says, if set, instead of looking at name and password. */
  loginWith: number | null;
  count(path: RegExp): number;
  close(): Promise<void>;
}

const KOREA_MS = 9 * 3_600_000;
/** `2026-11-21 14:04:03` on Korea's clock. */
export const koreanTime = (at: number): string =>
  new Date(at + KOREA_MS).toISOString().slice(0, 19).replace("T", " ");

const fullTime = (text: string, missing: string): string =>
  text.length === 10 ? `${text} ${missing}` : text.length === 16 ? `${text}:00` : text;

export function buildBareFarm(change: Partial<BareFarm> = {}): BareFarm {
  return {
    account: {
      id: 7,
      username: "farmer",
      nickname: "김농부",
      userAddress: "kim@example.com",
      farmAddress: "논산",
      phone: "010-0000-0000",
      timezone: "Asia/Seoul",
      imagePath: null,
      userType: "USER",
    },
    username: "farmer",
    password: "password1",
    farms: [],
    sensors: [],
    controllers: [],
    notifications: [],
    logs: new Map(),
    cotLogs: new Map(),
    states: new Map(),
    moistures: new Map(),
    settings: new Map(),
    ...change,
  };
}

/** What a handler is given: the parts that its pattern names, the query, and the body's text. */
interface Asked {
  readonly parts: readonly string[];
  readonly query: URLSearchParams;
  readonly body: string;
  readonly headers: IncomingMessage["headers"];
  readonly token: string | undefined;
}
/** An answer: a status alone, or JSON; undefined is 200 without a body. */
type Answer = number | { json: unknown } | undefined;
type Handler = (asked: Asked) => Answer;

const json = (value: unknown): Answer => ({ json: value });

/**
 * @param accessToken that counts from the beginning, beside those of logins
 * @param port 0 takes any free one
 */
export async function startBareApi(
  farm: BareFarm = buildBareFarm(),
  accessToken = "bare-token",
  port = 0,
): Promise<BareApi> {
  const requests: BareRequest[] = [];
  const load = { now: 0, most: 0 };
  const tokens = new Set([accessToken]);
  const refreshTokens = new Set<string>();
  let issued = 0;

  const issue = (refreshName: string): Answer => {
    issued += 1;
    tokens.add(`access-${issued}`);
    refreshTokens.add(`refresh-${issued}`);
    return json({ accessToken: `access-${issued}`, [refreshName]: `refresh-${issued}` });
  };
  const entry = ({ at, fields }: BareRow, sensorId?: string): Json => ({
    ...(sensorId !== undefined && { sensorId }),
    createdDate: koreanTime(at),
    ...fields,
  });
  const within = (rows: readonly BareRow[], start: string, end: string): BareRow[] => {
    const [from, to] = [fullTime(start, "00:00:00"), fullTime(end, "23:59:59")];
    return rows.filter(({ at }) => koreanTime(at) >= from && koreanTime(at) <= to);
  };
  const newest = (id: string): Json | null => {
    const row = farm.logs.get(id)?.reduce((a, b) => (b.at > a.at ? b : a));
    return row ? entry(row, id) : null;
  };
  const sensorOf = (id: string | undefined): Json | undefined =>
    farm.sensors.find((sensor) => String(sensor.id) === id);
  const listed = (sensors: readonly Json[]): Answer =>
    // How many channels a COT sensor has is said of the one sensor alone.
    json(sensors.map(({ chNums: _, ...sensor }) => ({ ...sensor, latestLog: newest(String(sensor.id)) })));
  const command: Handler = ({ body }) => {
    const asked: unknown = JSON.parse(body);
    if (typeof asked !== "object" || asked === null) return 400;
    const { uuid, command: name, channel, payload } = Object(asked);
    const box = farm.controllers.find(({ id }) => String(id) === String(uuid));
    const places: unknown = box?.channels;
    const place: unknown = Array.isArray(places)
      ? places.find((one: unknown) => Number(Object(one).channelNumber) === Number(channel))
      : undefined;
    if (!box || !place) return 404;
    const key = `${String(box.serial)}/${String(Object(place).id)}`;
    if (name === "onoff") farm.states.set(key, { ...farm.states.get(key), onoff: Number(payload) });
    return undefined;
  };
  const setting =
    (kind: string): Handler =>
    ({ parts: [channel], body }) => {
      const value: unknown = JSON.parse(body);
      farm.settings.set(`${channel}/${kind}`, { id: 1, ...Object(value) });
      return undefined;
    };

  const routes: [method: string, pattern: RegExp, handler: Handler][] = [
    ["GET", /^\/api\/account\/info$/, () => json(farm.account)],
    [
      "GET",
      /^\/api\/account\/logout$/,
      ({ token = "" }) => {
        tokens.delete(token);
        return undefined;
      },
    ],
    [
      "PUT",
      /^\/api\/v1\/admin\/user\/changepassword\/([^/]+)$/,
      ({ parts: [id], body }) => {
        if (farm.account.userType !== "ADMIN") return 403;
        if (id !== String(farm.account.id)) return 404;
        farm.password = String(Object(JSON.parse(body)).newPassword);
        refreshTokens.clear();
        return undefined;
      },
    ],
    ["GET", /^\/api\/v1\/noti\/list$/, () => json(farm.notifications)],
    ["GET", /^\/api\/v1\/cluster\/list$/, () => json(farm.farms)],
    ["GET", /^\/api\/v1\/sensor\/list$/, () => listed(farm.sensors)],
    [
      "GET",
      /^\/api\/v1\/sensor\/list\/([^/]+)$/,
      ({ parts: [type] }) => listed(farm.sensors.filter(({ deviceType }) => deviceType === type)),
    ],
    [
      "GET",
      /^\/api\/v1\/sensor\/widget\/list$/,
      () => listed(farm.sensors.filter(({ widget }) => widget === true)),
    ],
    [
      "GET",
      /^\/api\/v1\/sensor\/read\/log\/cot\/([^/]+)\/ch\/([^/]+)\/([^/]+)\/([^/]+)$/,
      ({ parts: [id, channel, start = "", end = ""] }) =>
        json(within(farm.cotLogs.get(`${id}/${channel}`) ?? [], start, end).map((row) => entry(row))),
    ],
    [
      "GET",
      /^\/api\/v1\/sensor\/read\/log\/([^/]+)\/latest$/,
      ({ parts: [id = ""] }) => (sensorOf(id) ? json(newest(id)) : 404),
    ],
    [
      "GET",
      /^\/api\/v1\/sensor\/read\/log\/([^/]+)\/latest\/mqtt$/,
      ({ parts: [id = ""] }) => (sensorOf(id) ? undefined : 404),
    ],
    [
      "GET",
      /^\/api\/v1\/sensor\/read\/log\/([^/]+)\/([^/]+)\/([^/]+)$/,
      ({ parts: [id = "", start = "", end = ""] }) => {
        const sensor = sensorOf(id);
        if (!sensor) return 404;
        const rows = within(farm.logs.get(id) ?? [], start, end).map((row) => entry(row, id));
        // Several types come with statistics beside their rows, the others as a bare list.
        return json(["AT", "ATS02"].includes(String(sensor.deviceType)) ? { data: rows } : rows);
      },
    ],
    [
      "GET",
      /^\/api\/v1\/sensor\/read\/([^/]+)$/,
      ({ parts: [id] }) => {
        const sensor = sensorOf(id);
        return sensor ? json({ deviceType: sensor.deviceType, chNums: sensor.chNums ?? null }) : 404;
      },
    ],
    [
      "GET",
      /^\/api\/v1\/sensor\/channel\/([^/]+)\/moisture$/,
      ({ parts: [id = ""] }) => json(farm.moistures.get(id) ?? null),
    ],
    ["GET", /^\/api\/v1\/controller$/, () => json(farm.controllers)],
    [
      "GET",
      /^\/api\/v1\/controller\/([^/]+)$/,
      ({ parts: [id] }) => {
        const found = farm.controllers.find((one) => String(one.id) === id);
        return found ? json(found) : 404;
      },
    ],
    [
      "GET",
      /^\/api\/v1\/controller\/([^/]+)\/channel\/([^/]+)\/refresh$/,
      ({ parts: [serial, channel] }) => {
        const state = farm.states.get(`${serial}/${channel}`);
        return state ? json({ serial, ...state }) : 404;
      },
    ],
    [
      "GET",
      /^\/api\/v1\/controller\/channel\/([^/]+)\/(trigger|reservation|period)$/,
      ({ parts: [channel, kind] }) => {
        const value = farm.settings.get(`${channel}/${kind}`);
        return value ? json(value) : undefined;
      },
    ],
    ["POST", /^\/api\/v1\/controller\/cmd$/, command],
    ["POST", /^\/api\/v1\/sensor\/cmd$/, command],
    ...["trigger", "reservation", "period"].flatMap((kind): [string, RegExp, Handler][] => [
      ["POST", new RegExp(`^/api/v1/controller/channel/([^/]+)/${kind}$`), setting(kind)],
      ["PUT", new RegExp(`^/api/v1/controller/channel/([^/]+)/${kind}/[^/]+$`), setting(kind)],
    ]),
  ];
  /** The two calls that need no access token. */
  const open: typeof routes = [
    [
      "POST",
      /^\/api\/account\/login$/,
      ({ query }) => {
        if (api.loginWith !== null) return api.loginWith;
        const isRight = query.get("username") === farm.username && query.get("password") === farm.password;
        return isRight ? issue("refeshToken") : 401;
      },
    ],
    [
      "PUT",
      /^\/api\/account\/update\/refresh$/,
      ({ headers }) => {
        const token = String(headers.refreshtoken);
        return refreshTokens.delete(token) ? issue("refreshToken") : 401;
      },
    ],
  ];

  const answerTo = (request: BareRequest, headers: IncomingMessage["headers"]): Answer => {
    const url = new URL(request.path.replaceAll(" ", "%20"), "http://bare");
    const path = decodeURIComponent(url.pathname);
    const find = (table: typeof routes): (() => Answer) | undefined => {
      for (const [method, pattern, handler] of table) {
        const match = method === request.method ? pattern.exec(path) : null;
        if (!match) continue;
        const parts = match.slice(1);
        const { body, token } = request;
        return () => handler({ parts, query: url.searchParams, body, headers, token });
      }
      return undefined;
    };
    const free = find(open);
    if (free) return free();
    if (request.token === undefined || !tokens.has(request.token)) return 401;
    const guarded = find(routes);
    return guarded ? guarded() : 404;
  };
  const respond = async (request: BareRequest, raw: IncomingMessage, response: ServerResponse) => {
    if (api.hold) await api.hold;
    const answer = api.failWith ?? answerTo(request, raw.headers);
    if (typeof answer === "number") {
      response.writeHead(answer).end();
    } else if (answer === undefined) {
      response.writeHead(200).end();
    } else {
      response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(answer.json));
    }
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
  const api: BareApi = {
    origin: `http://127.0.0.1:${address.port}`,
    farm,
    requests,
    load,
    failWith: null,
    hold: null,
    tokens,
    refreshTokens,
    loginWith: null,
    count: (path) => requests.filter((request) => path.test(request.path)).length,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
  return api;
}
