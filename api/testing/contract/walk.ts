import { randomUUID } from "node:crypto";
import { Controller } from "@mulkko/shared/entities/controller";
import { accountImage, sessionList } from "@mulkko/shared/rest/operations/account";
import { adminUserRegister } from "@mulkko/shared/rest/operations/admin";
import {
  controllerAdd,
  periodAdd,
  reservationAdd,
  triggerAdd,
} from "@mulkko/shared/rest/operations/controllers";
import { clusterAdd } from "@mulkko/shared/rest/operations/farms";
import { pathTo } from "@mulkko/shared/rest/operations/operation";
import { sensorAdd } from "@mulkko/shared/rest/operations/sensors";
import { parse } from "@mulkko/shared/schema/parse";
import type { InjectOptions } from "fastify";
import { type Static, type TSchema, Type } from "typebox";
import { pngOf } from "../image-bytes.ts";
import { PASSWORD, SOIL, type TestFarm } from "../test-farm.ts";

/** Values of the `{names}` in a path. */
export type Params = Readonly<Record<string, string | number>>;

type Method = NonNullable<InjectOptions["method"]>;
type Answer = Awaited<ReturnType<TestFarm["app"]["inject"]>>;

/** Time for which a token is used, ms; it is valid for 30 minutes. */
const TOKEN_USED_MS = 20 * 60_000;

/** Objects created for a call, so that the call may change or delete them. */
export interface Walk {
  readonly farm: TestFarm;
  /** Return an authorization header for a user, renewed before it expires. */
  tokenOf(who: string): Promise<string>;
  /** @param who a username, or `nobody` for no token; the farmer by default */
  ask(method: Method, url: string, body?: object, who?: string): Promise<Answer>;
  sensor(): Promise<Params>;
  cluster(): Promise<Params>;
  controller(): Promise<Params>;
  /** Create a channel with the soil sensor of the test farm. */
  channel(): Promise<Params>;
  setting(kind: "trigger" | "reservation" | "period"): Promise<Params>;
  user(): Promise<Params>;
  session(): Promise<Params>;
  notification(): Promise<number>;
  image(): Promise<Params>;
  serial(): string;
  name(): string;
}

const WithId = Type.Object({ id: Type.Union([Type.String(), Type.Integer()]) });

/** Required fields of an account. */
export const PROFILE = {
  nickname: "Kim",
  userAddress: "kim@example.org",
  farmAddress: "Hill farm",
  phone: "010-0000-0000",
} as const;

export const SETTINGS = {
  trigger: { lowerBound: 20, upperBound: 30, wateringDuration: 10 },
  reservation: { offDelayMinutes: 10, onTime: "06:30", repeat: true },
  period: { wateringDuration: 5, wateringInterval: 60, repeat: true },
} as const;

const SETTING_CALLS = { trigger: triggerAdd, reservation: reservationAdd, period: periodAdd } as const;

/** Build a multipart body with an image in the field `image`. */
export function pictureForm(bytes: Buffer = pngOf(4, 4)): {
  payload: Buffer;
  headers: Record<string, string>;
} {
  const head = `--b\r\nContent-Disposition: form-data; name="image"; filename="a.png"\r\nContent-Type: image/png\r\n\r\n`;
  return {
    payload: Buffer.concat([Buffer.from(head), bytes, Buffer.from("\r\n--b--\r\n")]),
    headers: { "content-type": "multipart/form-data; boundary=b" },
  };
}

export function beginWalk(farm: TestFarm): Walk {
  const tokens = new Map<string, { readonly authorization: string; readonly until: number }>();
  const tokenOf = async (who: string): Promise<string> => {
    const known = tokens.get(who);
    if (known && known.until > farm.clock.now()) return known.authorization;
    const { authorization } = await farm.signIn(who);
    tokens.set(who, { authorization, until: farm.clock.now() + TOKEN_USED_MS });
    return authorization;
  };
  const ask: Walk["ask"] = async (method, url, body, who = "farmer-one") =>
    farm.app.inject({
      method,
      url,
      headers: who === "nobody" ? {} : { authorization: await tokenOf(who) },
      ...(body === undefined ? {} : { payload: body }),
    });
  let count = 0;
  const next = (): number => {
    count += 1;
    return count;
  };
  const made = async <S extends TSchema>(
    schema: S,
    answer: Promise<{ statusCode: number; body: string; json(): unknown }>,
  ): Promise<Static<S>> => {
    const { statusCode, body, json } = await answer;
    const parsed = statusCode < 300 ? parse(schema, json()) : null;
    if (!parsed?.ok) throw new Error(`the walk could not make what it needs: ${statusCode} ${body}`);
    return parsed.value;
  };
  const serial = (): string => String(900_000 + next());
  const name = (): string => `walked ${next()}`;
  const controller = () =>
    made(
      Controller,
      ask("POST", controllerAdd.path, {
        type: "CON04V",
        serial: serial(),
        name: name(),
        channels: [{ channelNumber: 1, sensorIds: [SOIL.id] }],
      }),
    );
  const walk: Walk = {
    farm,
    tokenOf,
    ask,
    serial,
    name,
    async sensor() {
      const body = { name: name(), serial: serial(), deviceType: "SMS" };
      return { id: (await made(WithId, ask("POST", sensorAdd.path, body))).id };
    },
    async cluster() {
      return { id: (await made(WithId, ask("POST", clusterAdd.path, { name: name() }))).id };
    },
    async controller() {
      return { id: (await controller()).id };
    },
    async channel() {
      const { serial: number, channels } = await controller();
      const id = channels?.[0]?.id;
      if (id === undefined || number === null) throw new Error("a new controller has no channel");
      return { channelId: id, sensorId: SOIL.id, serial: number };
    },
    async setting(kind) {
      const { channelId } = await walk.channel();
      const url = pathTo(SETTING_CALLS[kind], { channelId: channelId ?? "" });
      return { channelId: channelId ?? "", id: (await made(WithId, ask("POST", url, SETTINGS[kind]))).id };
    },
    async user() {
      const body = { username: `walker${next()}`, password: PASSWORD, ...PROFILE };
      return { id: (await made(WithId, ask("POST", adminUserRegister.path, body, "overseer"))).id };
    },
    async session() {
      const list = () => made(Type.Array(WithId), ask("GET", sessionList.path));
      const before = new Set((await list()).map(({ id }) => id));
      await farm.signIn("farmer-one");
      const added = (await list()).find(({ id }) => !before.has(id));
      if (!added) throw new Error("no session was begun");
      return { id: added.id };
    },
    async notification() {
      const [row] = await farm.app.database.query<{ id: number }>(
        `insert into notification (account_id, type, message, created_at)
         select id, 'BATTERY', $1, now() from account where username = 'farmer-one' returning id`,
        [randomUUID()],
      );
      if (!row) throw new Error("no notification was made");
      return row.id;
    },
    async image() {
      const { authorization } = await farm.signIn("farmer-one");
      const form = pictureForm();
      const answer = farm.app.inject({
        method: "PUT",
        url: accountImage.path,
        payload: form.payload,
        headers: { ...form.headers, authorization },
      });
      const { imagePath } = await made(Type.Object({ imagePath: Type.String() }), answer);
      return { name: imagePath.slice(imagePath.lastIndexOf("/") + 1) };
    },
  };
  return walk;
}
