import type { AuditEntry, AuditQuery } from "@mulkko/shared/rest/admin";
import type { Page } from "@mulkko/shared/rest/paging";
import type { ApiTimeZone } from "@mulkko/shared/rules/api-time";
import type { Queryable } from "../database/database.ts";
import { matching, searchParameter, sliceOf } from "../http/paging.ts";

/** How long audit entries are kept, ms. */
const KEPT_MS = 3 * 365 * 86_400_000;

/** Values by field name; never a password, key or token. */
export type Values = Readonly<Record<string, string | number | boolean | null>>;

export interface AuditRecord {
  /** Without an id: the operator of the server, by a command. */
  readonly actor: { readonly id: string | null; readonly username: string };
  /** `{subject}-{verb}`, e.g. `user-delete`. */
  readonly action: string;
  readonly subject: { readonly kind: string; readonly id: string | number; readonly name: string };
  readonly before?: Values;
  readonly after?: Values;
}

/** Return only differing values; a value on one side only differs. */
export function changedOnly(before: Values, after: Values): { before: Values; after: Values } {
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])].filter(
    (name) => before[name] !== after[name],
  );
  const pick = (values: Values): Values =>
    Object.fromEntries(names.flatMap((name) => (name in values ? [[name, values[name] ?? null]] : [])));
  return { before: pick(before), after: pick(after) };
}

/**
 * Record an administrator's action; call it in the transaction of the action. @param now ms since 1970 UTC
 */
export async function recordAuditEntry(database: Queryable, entry: AuditRecord, now: number): Promise<void> {
  const { actor, action, subject, before, after } = entry;
  await database.query(
    `insert into audit (actor_id, actor_name, action, subject_kind, subject_id, subject_name, before, after,
       created_at) values ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
    [
      actor.id,
      actor.username,
      action,
      subject.kind,
      String(subject.id),
      subject.name,
      before ? JSON.stringify(before) : null,
      after ? JSON.stringify(after) : null,
      new Date(now),
    ],
  );
}

/** Return true if the same action is recorded at the same time. @param at ms since 1970 UTC */
export async function isRecorded(database: Queryable, entry: AuditRecord, at: number): Promise<boolean> {
  const { actor, action, subject } = entry;
  const rows = await database.query(
    "select 1 from audit where created_at = $1 and actor_id = $2 and action = $3 and subject_id = $4 limit 1",
    [new Date(at), actor.id, action, String(subject.id)],
  );
  return rows.length > 0;
}

interface AuditRow {
  id: number;
  actor_id: string | null;
  actor_name: string;
  action: string;
  subject_kind: string;
  subject_id: string;
  subject_name: string;
  before: AuditEntry["before"];
  after: AuditEntry["after"];
  created_at: number;
}

const MATCHES = `
  where ${matching("$1", ["actor_name", "subject_name"])}
    and ($2::text is null or subject_kind = $2)
    and ($3::timestamptz is null or created_at >= $3) and ($4::timestamptz is null or created_at < $4)`;

/** Return a page of administrators' actions, newest first. */
export async function listAuditEntries(
  database: Queryable,
  zone: ApiTimeZone,
  query: AuditQuery,
): Promise<Page<AuditEntry>> {
  const { limit, offset } = sliceOf(query);
  const { q, kind = null, from = null, to = null } = query;
  const filter = [searchParameter(q), kind, from, to];
  const [total] = await database.query<{ count: number }>(
    `select count(*) as count from audit ${MATCHES}`,
    filter,
  );
  const rows = await database.query<AuditRow>(
    `select * from audit ${MATCHES} order by created_at desc, id desc limit $5 offset $6`,
    [...filter, limit, offset],
  );
  const content = rows.map((row) => ({
    id: row.id,
    createdDate: zone.toApi(row.created_at),
    actorId: row.actor_id,
    actorName: row.actor_name,
    action: row.action,
    subjectKind: row.subject_kind,
    subjectId: row.subject_id,
    subjectName: row.subject_name,
    before: row.before,
    after: row.after,
  }));
  return { content, totalElements: total?.count ?? 0 };
}

export async function sweepAuditEntries(database: Queryable, now: number): Promise<void> {
  await database.query("delete from audit where created_at < $1", [new Date(now - KEPT_MS)]);
}
