import type { CommandEntry, CommandLogQuery } from "@mulkko/shared/rest/admin";
import { adminCommands } from "@mulkko/shared/rest/operations/admin";
import type { Page } from "@mulkko/shared/rest/paging";
import type { ApiTimeZone } from "@mulkko/shared/rules/api-time";
import fp from "fastify-plugin";
import type { Queryable } from "../database/database.ts";
import { routeOf } from "../http/operation-route.ts";
import { matching, searchParameter, sliceOf } from "../http/paging.ts";
import type { App } from "../http/server.ts";

/** How long commands are kept, ms. */
const KEPT_MS = 365 * 86_400_000;

/** A command to be sent. */
export interface OutgoingCommand {
  readonly actor: { readonly id: string; readonly username: string };
  /** True where the relay sends it by itself, in the actor's name. */
  readonly byRelay: boolean;
  readonly deviceId: string;
  readonly number: number;
  readonly command: string;
  readonly payload: string;
  readonly commandId: string;
}

/**
 * Record a command. @param now ms since 1970 UTC @returns the entry's id; null where the device was deleted
 */
export async function logCommand(
  database: Queryable,
  command: OutgoingCommand,
  now: number,
): Promise<number | null> {
  const { actor, byRelay, deviceId, number, payload, commandId } = command;
  const [row] = await database.query<{ id: number }>(
    `insert into command_log (actor_id, actor_name, by_relay, account_id, account_name, device_id, device_name,
       number, command, payload, command_id, created_at)
     select $1, $2, $3, account.id, account.username, device.id,
       coalesce(nullif(sensor.name, ''), nullif(controller.name, ''), device.serial::text), $5, $6, $7, $8, $9
     from device join account on account.id = device.account_id
       left join sensor on sensor.id = device.id left join controller on controller.id = device.id
     where device.id = $4 returning id`,
    [actor.id, actor.username, byRelay, deviceId, number, command.command, payload, commandId, new Date(now)],
  );
  return row?.id ?? null;
}

/** Record that a command was not sent. @param code an error code of the contract */
export async function logRefusal(database: Queryable, id: number, code: string): Promise<void> {
  await database.query("update command_log set refused = $2 where id = $1", [id, code]);
}

interface LogRow {
  id: number;
  actor_id: string | null;
  actor_name: string;
  by_relay: boolean;
  account_id: string | null;
  account_name: string;
  device_id: string;
  device_name: string;
  number: number;
  command: string;
  payload: string;
  refused: string | null;
  confirmed_at: number | null;
  created_at: number;
}

// The farm API itself stores mode settings: no valve reports them.
const OUTCOME = `case when refused is not null then 'refused' when confirmed_at is not null then 'confirmed'
  when command <> 'onoff' then 'stored' else 'taken' end`;

const MATCHES = `
  where ${matching("$1", ["actor_name", "account_name", "device_name"])}
    and ($2::text is null or ${OUTCOME} = $2)
    and ($3::timestamptz is null or created_at >= $3) and ($4::timestamptz is null or created_at < $4)`;

/** Return a page of the commands of all accounts, newest first. */
export async function listCommands(
  database: Queryable,
  zone: ApiTimeZone,
  query: CommandLogQuery,
): Promise<Page<CommandEntry>> {
  const { limit, offset } = sliceOf(query);
  const filter = [searchParameter(query.q), query.outcome ?? null, query.from ?? null, query.to ?? null];
  const [total] = await database.query<{ count: number }>(
    `select count(*) as count from command_log ${MATCHES}`,
    filter,
  );
  const rows = await database.query<LogRow & { outcome: CommandEntry["outcome"] }>(
    `select *, ${OUTCOME} as outcome from command_log ${MATCHES} order by id desc limit $5 offset $6`,
    [...filter, limit, offset],
  );
  const content = rows.map((row) => ({
    id: row.id,
    createdDate: zone.toApi(row.created_at),
    actorId: row.actor_id,
    actorName: row.actor_name,
    byRelay: row.by_relay,
    userId: row.account_id,
    username: row.account_name,
    deviceId: row.device_id,
    deviceName: row.device_name,
    channelNumber: row.number,
    command: row.command,
    payload: row.payload,
    outcome: row.outcome,
    reason: row.refused,
    confirmedDate: row.confirmed_at === null ? null : zone.toApi(row.confirmed_at),
  }));
  return { content, totalElements: total?.count ?? 0 };
}

export async function sweepCommands(database: Queryable, now: number): Promise<void> {
  await database.query("delete from command_log where created_at < $1", [new Date(now - KEPT_MS)]);
}

/** List the commands of every account (extension `audit`). */
export const commandLogRoutes = fp<{ zone: ApiTimeZone }>(
  async (app: App, { zone }) => {
    app.route({
      ...routeOf(adminCommands, {
        tags: ["admin"],
        summary: "Commands of all accounts with their outcome, newest first (extension audit)",
      }),
      onRequest: app.authenticateAdminPerson,
      handler: (request) => listCommands(app.database, zone, request.query),
    });
  },
  { name: "command-log", dependencies: ["database", "auth", "errors"] },
);
