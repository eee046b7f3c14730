import {
  modeEnable,
  periodAdd,
  periodRead,
  periodUpdate,
  reservationAdd,
  reservationRead,
  reservationUpdate,
  triggerAdd,
  triggerRead,
  triggerUpdate,
} from "@mulkko/shared/rest/operations/controllers";
import { PeriodBody, ReservationBody, TriggerBody } from "@mulkko/shared/rest/watering";
import { parse } from "@mulkko/shared/schema/parse";
import type { FastifyRequest } from "fastify";
import fp from "fastify-plugin";
import { type Static, type TSchema, Type } from "typebox";
import { callerOf, ownerFilter } from "../../accounts/auth.ts";
import type { Queryable } from "../../database/database.ts";
import { ApiError, notFound } from "../../http/api-error.ts";
import { routeOf } from "../../http/operation-route.ts";
import { integerOf } from "../../http/params.ts";
import { type App, sendJson } from "../../http/server.ts";
import { type FoundChannel, findChannel } from "../controller-repository.ts";
import {
  hasSetting,
  lockChannel,
  type Mode,
  modeOf,
  saveAutomatic,
  savePeriod,
  saveReservation,
  setMode,
} from "./repository.ts";
import { automaticOf, periodOf, reservationOf } from "./rules.ts";

/** Queries of the settings of the three watering modes; durations and intervals are minutes. */
const SETTINGS = {
  trigger: `select id, lower_bound as "lowerBound", upper_bound as "upperBound",
      watering_duration as "wateringDuration" from watering_trigger where channel_id = $1`,
  reservation: `select id, watering_duration as "wateringDuration", on_time as "onTime", repeat
    from watering_reservation where channel_id = $1`,
  period: `select id, watering_duration as "wateringDuration", watering_interval as "wateringInterval", repeat
    from watering_period where channel_id = $1`,
} as const;

type SettingName = keyof typeof SETTINGS;

/** Return a channel's setting of one mode, or null where there is none. */
async function readSetting(
  database: Queryable,
  name: SettingName,
  channelId: number,
): Promise<object | null> {
  const [row] = await database.query<object>(SETTINGS[name], [channelId]);
  return row ?? null;
}

const tags = ["watering"];

/** Calls of one mode's setting. */
const CALLS = {
  trigger: { read: triggerRead, add: triggerAdd, update: triggerUpdate },
  reservation: { read: reservationRead, add: reservationAdd, update: reservationUpdate },
  period: { read: periodRead, add: periodAdd, update: periodUpdate },
} as const;

/** Parser and storage of one mode's settings. */
interface SettingKind {
  readonly name: SettingName;
  readonly mode: Mode;
  readonly title: string;
  readonly reader: BodyReader;
}

/** Parser of a body by the mode's rules. */
interface BodyReader {
  /** @throws FieldsError */
  plan(body: unknown): Plan;
}

/** Common members of the bodies of all modes. */
const Common = Type.Pick(TriggerBody, ["active"]);

/**
 * @param settingOf the mode's rules; throws a `FieldsError`
 * @param save stores the parsed setting
 */
function readerOf<B extends TSchema, S>(
  schema: B,
  settingOf: (body: Static<B>) => S,
  save: (tx: Queryable, channelId: number, setting: S) => Promise<void>,
): BodyReader {
  return {
    plan(body) {
      const parsed = parse(schema, body);
      if (!parsed.ok) throw new ApiError(422, "validation", parsed.message, { field: parsed.path.slice(1) });
      const setting = settingOf(parsed.value);
      const common = parse(Common, body);
      return {
        active: common.ok ? common.value.active : undefined,
        write: (tx, channelId) => save(tx, channelId, setting),
      };
    },
  };
}

/** A parsed setting. */
interface Plan {
  /** True to activate the mode, false to keep the active one, undefined for the default. */
  readonly active: boolean | undefined;
  write(tx: Queryable, channelId: number): Promise<void>;
}

/** Serve settings of the three watering modes, and the active mode of a channel. */
export const wateringRoutes = fp(
  async (app: App) => {
    const { database } = app;
    const onRequest = app.authenticate;

    const channelOf = async (request: FastifyRequest, id: string): Promise<FoundChannel> => {
      const owner = ownerFilter(callerOf(request));
      const channel = await findChannel(database, integerOf(id, "channel"), owner);
      if (!channel) throw notFound("channel");
      return channel;
    };

    /** Send the change to the controller and the relay. */
    const announce = async (channel: FoundChannel, modes: readonly Mode[]): Promise<void> => {
      const device = { id: channel.controller_id, serial: channel.serial };
      await app.delivery.send(device, channel.number, modes);
      app.ingest.outputs.changed(channel.account_id, "channel", channel.id);
    };

    function register(kind: SettingKind): void {
      const calls = CALLS[kind.name];

      const save = async (
        channel: FoundChannel,
        { active = true, write }: Plan,
        id: number | null,
      ): Promise<object | null> => {
        await database.transaction(async (tx) => {
          await lockChannel(tx, channel.controller_id, channel.number);
          if (id !== null && !(await hasSetting(tx, channel.id, kind.mode, id))) throw notFound(kind.name);
          await write(tx, channel.id);
          if (active) await setMode(tx, channel.id, kind.mode);
        });
        await announce(channel, [kind.mode]);
        return readSetting(database, kind.name, channel.id);
      };

      app.route({
        ...routeOf(calls.read, { tags, summary: `The ${kind.title}, or null` }),
        onRequest,
        async handler(request, reply) {
          const { id } = await channelOf(request, request.params.channelId);
          return sendJson(reply, await readSetting(database, kind.name, id));
        },
      });

      app.route({
        ...routeOf(calls.add, { tags, summary: `Set the ${kind.title}` }),
        onRequest,
        async handler(request, reply) {
          const channel = await channelOf(request, request.params.channelId);
          return sendJson(reply, await save(channel, kind.reader.plan(request.body), null));
        },
      });

      app.route({
        ...routeOf(calls.update, { tags, summary: `Change the ${kind.title}` }),
        onRequest,
        async handler(request, reply) {
          const channel = await channelOf(request, request.params.channelId);
          const id = integerOf(request.params.id, kind.name);
          return sendJson(reply, await save(channel, kind.reader.plan(request.body), id));
        },
      });
    }

    register({
      name: "trigger",
      mode: "automatic",
      title: "automatic mode",
      reader: readerOf(TriggerBody, automaticOf, saveAutomatic),
    });
    register({
      name: "reservation",
      mode: "reservation",
      title: "reservation",
      reader: readerOf(ReservationBody, reservationOf, saveReservation),
    });
    register({
      name: "period",
      mode: "period",
      title: "period",
      reader: readerOf(PeriodBody, periodOf, savePeriod),
    });

    app.route({
      ...routeOf(modeEnable, { tags, summary: "Put a mode in charge of a channel, or none" }),
      onRequest,
      async handler(request) {
        const channel = await channelOf(request, request.params.channelId);
        const { active, insteadOf } = request.body;
        if (active === "none") {
          await app.valves.endRun(channel.controller_id, channel.number, insteadOf ?? "any");
        }
        const kept = await database.transaction(async (tx) => {
          await lockChannel(tx, channel.controller_id, channel.number);
          const before = await modeOf(tx, channel.id);
          if (insteadOf !== undefined && before !== insteadOf) return before;
          if (active !== "none" && !(await hasSetting(tx, channel.id, active))) {
            throw new ApiError(422, "validation", "this mode has no setting yet", { field: "active" });
          }
          await setMode(tx, channel.id, active);
          return null;
        });
        if (kept !== null) return { active: kept };
        await announce(channel, []);
        return { active };
      },
    });
  },
  { name: "watering-routes", dependencies: ["database", "broker", "watering", "auth", "errors"] },
);
