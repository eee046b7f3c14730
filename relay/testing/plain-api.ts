/**
 * A farm API as the relay meets it in the field: only the calls that the founding documents name, and no
 * extensions. Times are in Korea's clock without a zone, `refeshToken` is spelt so, lists have no wrapper,
 * and bodies are empty where no answer is documented. It shares no code with the product, so that neither
 * hides the other's mistakes. Long because one table shows the whole API. `plain-api-server.ts` serves it.
 */
import { systemClock, type Timers } from "@mulkko/shared/rules/clock";
import { nodeTimers } from "@mulkko/shared/server/node-timers";

type Json = Readonly<Record<string, unknown>>;
/** A row of a log: its time (ms UTC), and its fields. */
export interface PlainApiRow {
  readonly at: number;
  readonly fields: Json;
}

/** The content of the only account. Tests change it in place; the next request sees it. */
export interface PlainFarm {
  account: Json;
  username: string;
  password: string;
  farms: Json[];
  sensors: Json[];
  controllers: Json[];
  notifications: Json[];
  /** By sensor id. */
  logs: Map<string, PlainApiRow[]>;
  /** By `id/channel number`. */
  cotLogs: Map<string, PlainApiRow[]>;
  /** By `serial/channel id`. */
  states: Map<string, Json>;
  /** By channel id. */
  moistures: Map<string, number>;
  /** By `channel id/trigger`, `…/reservation`, `…/period`. */
  settings: Map<string, Json>;
}

export interface PlainApiRequest {
  readonly method: string;
  /** Decoded, with its query. */
  readonly path: string;
  readonly token: string | undefined;
  readonly body: string;
}

/** Deviations of real farm APIs, each as a switch; all are off by default. */
export interface PlainApiHabits {
  /** Prefix of every path, e.g. `/backend`. */
  base: string;
  /** The only method of updates and commands; others get 405 with `Allow`. */
  writesBy: "POST" | "PUT" | null;
  /** Bodies of the other type get 415. */
  bodies: "form" | "json" | null;
  /** True to return empty lists. */
  emptyLists: boolean;
  /** Writes are carried out and answered with 500, or not answered. */
  afterDeed: "500" | "cut" | null;
  /** Serials whose `refresh` is 404. */
  readonly noRefresh: Set<string>;
  /** ms by which a valve command that arrives now is carried out late; it is answered at once. */
  commandsLateMs: number;
  /**
   * ms for which a valve command waits for the next one, which is then carried out before it. It is answered
   * at once.
   */
  overtakenMs: number;
  /** True if a login ends the account's other sessions. */
  oneSession: boolean;
  /** True for one flag per mode: saving one leaves the others on, and a reset switches one off. */
  flagEachMode: boolean;
  /** True to add a row to the COT log when a valve moves. */
  rowsOnMovement: boolean;
  /**
   * True for other types than agreed, in every list and state: numbers as text, an object for a text, null
   * ids.
   */
  oddFields: boolean;
  /** ms by which the times of rows are ahead of the clock. */
  aheadMs: number;
  /** ms before each answer. */
  slowMs: number;
}

/** Headers of a request, by their names in lower case. */
export type PlainApiHeaders = Readonly<Record<string, string | string[] | undefined>>;

/** An answer as it is written to the connection. */
export interface PlainApiAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** A command that turns a valve. */
export interface PlainApiOrder {
  /** `serial/channel id`, the key of `PlainFarm.states`. */
  readonly key: string;
  /** 1: open, 2: close. */
  readonly payload: number;
  readonly headers: PlainApiHeaders;
}

/** The calls of the API, without the connections that carry them. */
export interface PlainApiCalls {
  readonly farm: PlainFarm;
  /** Status for every request, if set. */
  failWith: number | null;
  /** Valid access tokens: a login or refresh adds one, a logout removes it. */
  readonly tokens: Set<string>;
  /** Valid refresh tokens: each can be used once. */
  readonly refreshTokens: Set<string>;
  /** The deviations of this API from the contract; `slowMs` is for those who carry the calls. */
  readonly habits: PlainApiHabits;
  /** Status of `account/login`, if set, in place of a check of name and password. */
  loginWith: number | null;
  /** Carry out a request. Return null where the connection is cut in place of an answer. */
  answer(request: PlainApiRequest, headers: PlainApiHeaders): PlainApiAnswer | null;
}

const KOREA_MS = 9 * 3_600_000;
/** Return a time on Korea's clock, such as `2026-11-21 14:04:03`. */
export const koreanTime = (at: number): string =>
  new Date(at + KOREA_MS).toISOString().slice(0, 19).replace("T", " ");

const fullTime = (text: string, missing: string): string =>
  text.length === 10 ? `${text} ${missing}` : text.length === 16 ? `${text}:00` : text;

export function buildPlainFarm(change: Partial<PlainFarm> = {}): PlainFarm {
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

/** The parameters of a handler: the parts named by its pattern, the query, and the body's text. */
interface Asked {
  readonly parts: readonly string[];
  readonly query: URLSearchParams;
  readonly body: string;
  readonly headers: PlainApiHeaders;
  readonly token: string | undefined;
}
/** An answer: only a status, or JSON; undefined is 200 without a body. */
type Answer = number | { json: unknown } | undefined;
type Handler = (asked: Asked) => Answer;

const json = (value: unknown): Answer => ({ json: value });

/** Text fields that some APIs send as an object. */
const OBJECTS = new Set(["description", "crops", "farmAddress"]);
/** Fields that an API with odd types leaves unchanged: a row without them cannot be identified. */
const NEEDED = new Set(["id", "serial", "channelNumber", "deviceType", "name", "type", "username"]);

/** Return an answer as an API with odd types sends it. */
function oddly(value: unknown, field = ""): unknown {
  if (Array.isArray(value)) {
    const rows = value.map((one) => oddly(one));
    return field === "clusters" ? [...rows, { id: null }] : rows;
  }
  if (typeof value === "object" && value !== null) {
    const fields = Object.entries(value).map(([key, one]) => [key, oddly(one, key)]);
    return { ...Object.fromEntries(fields), modifiedDate: 1_795_000_000_000, fwversion: { major: 1 } };
  }
  if (NEEDED.has(field) || field === "") return value;
  if (OBJECTS.has(field)) return { ko: value };
  if (typeof value === "boolean") return value ? "Y" : "N";
  return typeof value === "number" ? String(value) : value;
}

/**
 * Create the API without connections.
 *
 * @param deps.accessToken valid from the start, besides those of logins; null: none
 * @param deps.now its clock, ms UTC
 * @param deps.turn carries out a command to a valve, in place of setting the state that it answers
 */
export function createPlainApiCalls(
  farm: PlainFarm,
  deps: {
    readonly accessToken: string | null;
    readonly now?: () => number;
    readonly timers?: Timers;
    readonly turn?: (order: PlainApiOrder) => void;
  },
): PlainApiCalls {
  const { accessToken, now = systemClock.now, timers = nodeTimers, turn: turnValve } = deps;
  const tokens = new Set<string>(accessToken === null ? [] : [accessToken]);
  const refreshTokens = new Set<string>();
  let issued = 0;
  /** The id of a deleted farm is not given again. */
  let newestFarmId = 0;
  /** Valve commands that wait for the next one, by `serial/channel id`. */
  const overtaken = new Map<string, () => void>();

  const issue = (refreshName: string): Answer => {
    if (api.habits.oneSession && refreshName === "refeshToken") {
      tokens.clear();
      refreshTokens.clear();
    }
    issued += 1;
    tokens.add(`access-${issued}`);
    refreshTokens.add(`refresh-${issued}`);
    return json({ accessToken: `access-${issued}`, [refreshName]: `refresh-${issued}` });
  };
  const entry = ({ at, fields }: PlainApiRow, sensorId?: string): Json => ({
    ...(sensorId !== undefined && { sensorId }),
    createdDate: koreanTime(at + api.habits.aheadMs),
    ...fields,
  });
  const within = (rows: readonly PlainApiRow[], start: string, end: string): PlainApiRow[] => {
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
    // The list omits the number of channels of a COT sensor; only the single sensor has it.
    json(sensors.map(({ chNums: _, ...sensor }) => ({ ...sensor, latestLog: newest(String(sensor.id)) })));
  /** Return the fields of a body of either type. */
  const fieldsOf = ({ body, headers }: Asked): unknown =>
    String(headers["content-type"]).startsWith("application/json")
      ? JSON.parse(body)
      : Object.fromEntries(new URLSearchParams(body));
  const command: Handler = (request) => {
    const asked = fieldsOf(request);
    if (typeof asked !== "object" || asked === null) return 400;
    const { uuid, command: name, channel, payload } = Object(asked);
    const controller = farm.controllers.find(({ id }) => String(id) === String(uuid));
    const places: unknown = controller?.channels;
    const place: unknown = Array.isArray(places)
      ? places.find((one: unknown) => Number(Object(one).channelNumber) === Number(channel))
      : undefined;
    if (!controller || !place) return 404;
    const key = `${String(controller.serial)}/${String(Object(place).id)}`;
    const [mode, action] = String(name).split("/");
    if (mode !== undefined && action === "reset") {
      farm.states.set(key, { ...farm.states.get(key), [mode]: 0, [`${mode}Watering`]: null });
      farm.settings.delete(`${String(Object(place).id)}/${mode === "automatic" ? "trigger" : mode}`);
    }
    if (name !== "onoff") return undefined;
    const turn = (): void => {
      if (turnValve) {
        turnValve({ key, payload: Number(payload), headers: request.headers });
        return;
      }
      const before = farm.states.get(key)?.onoff;
      farm.states.set(key, { ...farm.states.get(key), onoff: Number(payload) });
      if (!api.habits.rowsOnMovement || before === Number(payload)) return;
      const logKey = `${String(controller.id)}/${Number(channel)}`;
      const row = { at: now(), fields: { valve: Number(payload) } };
      farm.cotLogs.set(logKey, [...(farm.cotLogs.get(logKey) ?? []), row]);
    };
    const { commandsLateMs, overtakenMs } = api.habits;
    const held = overtaken.get(key);
    if (held) overtaken.delete(key);
    if (held === undefined && overtakenMs > 0) {
      overtaken.set(key, turn);
      timers.after(overtakenMs, () => {
        if (overtaken.get(key) === turn && overtaken.delete(key)) turn();
      });
    } else if (commandsLateMs > 0) {
      timers.after(commandsLateMs, turn);
    } else {
      turn();
      held?.();
    }
    return undefined;
  };
  /** Activate a mode, besides the active ones or in their place. */
  const flag = (channel: string | undefined, kind: string, value: Json): void => {
    const mode = kind === "trigger" ? "automatic" : kind;
    const values = {
      automatic: { automaticLowMoisture: value.lowerBound, automaticHighMoisture: value.upperBound },
      reservation: { reservationTime: value.onTime, reservationRepeat: value.repeat ? 1 : 2 },
      period: { periodTime: value.wateringInterval, periodRepeat: value.repeat ? 1 : 2 },
    }[mode];
    for (const [key, state] of farm.states) {
      if (!key.endsWith(`/${channel}`)) continue;
      const others = api.habits.flagEachMode ? {} : { automatic: 0, reservation: 0, period: 0 };
      const minutes = value.wateringDuration ?? value.offDelayMinutes;
      farm.states.set(key, { ...state, ...others, [mode]: 1, [`${mode}Watering`]: minutes, ...values });
    }
  };
  const setting =
    (kind: string): Handler =>
    (request) => {
      const [channel] = request.parts;
      const value = Object(fieldsOf(request));
      farm.settings.set(`${channel}/${kind}`, { id: 1, ...value });
      flag(channel, kind, value);
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
    [
      "GET",
      /^\/api\/v1\/admin\/sensors$/,
      () => (farm.account.userType === "ADMIN" ? listed(farm.sensors) : 403),
    ],
    ["GET", /^\/api\/v1\/noti\/list$/, () => json(farm.notifications)],
    ["GET", /^\/api\/v1\/cluster\/list$/, () => json(api.habits.emptyLists ? [] : farm.farms)],
    [
      "POST",
      /^\/api\/v1\/cluster\/add$/,
      (request) => {
        const { name, description = "" } = Object(fieldsOf(request));
        if (farm.farms.some((one) => one.name === name)) return 409;
        newestFarmId = Math.max(newestFarmId, ...farm.farms.map((one) => Number(one.id))) + 1;
        farm.farms.push({ id: newestFarmId, name, description, sensors: [] });
        return undefined;
      },
    ],
    ...["POST", "DELETE"].map((method): [string, RegExp, Handler] => [
      method,
      /^\/api\/v1\/cluster\/delete\/([^/]+)$/,
      ({ parts: [id] }) => {
        const farmAt = farm.farms.findIndex((one) => String(one.id) === id);
        if (farmAt < 0) return 404;
        farm.farms.splice(farmAt, 1);
        return undefined;
      },
    ]),
    ...["POST", "PUT"].map((method): [string, RegExp, Handler] => [
      method,
      /^\/api\/v1\/cluster\/update\/([^/]+)$/,
      (request) => {
        const farmAt = farm.farms.findIndex(({ id }) => String(id) === request.parts[0]);
        if (farmAt < 0) return 404;
        const { id: _, ...fields } = Object(fieldsOf(request));
        farm.farms[farmAt] = { ...farm.farms[farmAt], ...fields };
        return undefined;
      },
    ]),
    ["GET", /^\/api\/v1\/sensor\/list$/, () => listed(api.habits.emptyLists ? [] : farm.sensors)],
    [
      "POST",
      /^\/api\/v1\/sensor\/add$/,
      (request) => {
        const fields = Object(fieldsOf(request));
        farm.sensors.push({ id: farm.sensors.length + 1, ...fields });
        return undefined;
      },
    ],
    ...["POST", "PUT"].map((method): [string, RegExp, Handler] => [
      method,
      /^\/api\/v1\/sensor\/update\/([^/]+)$/,
      (request) => {
        const sensor = sensorOf(request.parts[0]);
        if (!sensor) return 404;
        const { id: _, serial: __, ...fields } = Object(fieldsOf(request));
        farm.sensors[farm.sensors.indexOf(sensor)] = { ...sensor, ...fields };
        return undefined;
      },
    ]),
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
        // Several types have statistics besides their rows, the others are a bare list.
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
    ["GET", /^\/api\/v1\/controller$/, () => json(api.habits.emptyLists ? [] : farm.controllers)],
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
        if (serial !== undefined && api.habits.noRefresh.has(serial)) return 404;
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
    ...["POST", "PUT"].flatMap((method): [string, RegExp, Handler][] => [
      [method, /^\/api\/v1\/controller\/cmd$/, command],
      [method, /^\/api\/v1\/sensor\/cmd$/, command],
    ]),
    ...["trigger", "reservation", "period"].flatMap((kind): [string, RegExp, Handler][] => [
      ["POST", new RegExp(`^/api/v1/controller/channel/([^/]+)/${kind}$`), setting(kind)],
      // An API without POST accepts the first setting by PUT too.
      ["PUT", new RegExp(`^/api/v1/controller/channel/([^/]+)/${kind}(?:/[^/]+)?$`), setting(kind)],
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

  const answerTo = (request: PlainApiRequest, headers: PlainApiHeaders): Answer => {
    const url = new URL(request.path.replaceAll(" ", "%20"), "http://bare");
    const whole = decodeURIComponent(url.pathname);
    const { base, writesBy, bodies } = api.habits;
    if (!whole.startsWith(`${base}/`)) return 404;
    const path = whole.slice(base.length);
    const isWrite = request.method !== "GET" && !path.startsWith("/api/account/");
    if (isWrite && writesBy !== null && request.method !== "DELETE" && request.method !== writesBy)
      return 405;
    const isForm = String(headers["content-type"]).startsWith("application/x-www-form-urlencoded");
    if (isWrite && bodies !== null && request.body !== "" && isForm !== (bodies === "form")) return 415;
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
  const written = (answer: Answer): PlainApiAnswer => {
    if (answer === 405) {
      return { status: 405, headers: { allow: api.habits.writesBy ?? "" }, body: "" };
    }
    if (typeof answer === "number") return { status: answer, headers: {}, body: "" };
    if (answer === undefined) return { status: 200, headers: {}, body: "" };
    return {
      status: 200,
      headers: { "content-type": "application/json" },
      body: JSON.stringify(api.habits.oddFields ? oddly(answer.json) : answer.json),
    };
  };
  const api: PlainApiCalls = {
    farm,
    failWith: null,
    tokens,
    refreshTokens,
    habits: {
      base: "",
      writesBy: null,
      bodies: null,
      emptyLists: false,
      afterDeed: null,
      noRefresh: new Set(),
      commandsLateMs: 0,
      overtakenMs: 0,
      oneSession: false,
      flagEachMode: false,
      rowsOnMovement: false,
      oddFields: false,
      aheadMs: 0,
      slowMs: 0,
    },
    loginWith: null,
    answer(request, headers) {
      const answer = api.failWith ?? answerTo(request, headers);
      const isDone = answer === undefined || typeof answer === "object";
      const isDeed = isDone && request.method !== "GET" && !request.path.startsWith("/api/account/");
      if (!isDeed || api.habits.afterDeed === null) return written(answer);
      return api.habits.afterDeed === "cut" ? null : written(500);
    },
  };
  return api;
}
