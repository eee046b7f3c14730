import * as account from "./account.ts";
import * as admin from "./admin.ts";
import * as controllers from "./controllers.ts";
import * as devices from "./devices.ts";
import * as farms from "./farms.ts";
import * as logs from "./logs.ts";
import { partsOf } from "./normal-path.ts";
import * as notifications from "./notifications.ts";
import type { ChangedKind, EndedAccess, Operation } from "./operation.ts";
import * as relayCalls from "./relay-calls.ts";
import * as sensors from "./sensors.ts";

/** Every call of the farm API. */
export const OPERATIONS: readonly Operation[] = [
  account,
  notifications,
  farms,
  sensors,
  logs,
  controllers,
  devices,
  admin,
  relayCalls,
].flatMap((rows): Operation[] => Object.values(rows));

/** Things that a call removes, or the access that it ends, with the ids from its path. */
export type Consequence =
  | { readonly kind: "channel" | "device"; readonly id: string }
  /** A device of any account, removed by an administrator; an unknown call may mean any part of its path. */
  | { readonly kind: "any-device"; readonly of: "sensor" | null; readonly ids: readonly string[] }
  /** An unknown deletion of devices: those that its path names, or all where it names none that is known. */
  | { readonly kind: "named-devices"; readonly ids: readonly string[] }
  /**
   * `accountIds`: null for the caller's own; an unknown call may mean any part of its path.
   * `unknown`: a write that no row knows; it may end any access.
   */
  | {
      readonly kind: "access";
      readonly accountIds: readonly string[] | null;
      readonly what: EndedAccess["what"] | "unknown";
    };

/** A request to the farm API, matched once; all decisions about it are made from here. */
export interface FarmCall {
  /** Null for a call that no row knows. */
  readonly operation: Operation | null;
  /** The method is one that the contract accepts. */
  readonly isAccepted: boolean;
  readonly changes: readonly ChangedKind[];
  /** An administrator's call; the account in its path, or null where it names none. */
  readonly administers: { readonly accountId: string | null } | null;
  readonly consequence: Consequence | null;
}

/** Effects of calls that no row knows, by the beginning of their path; the first match counts. */
interface Family {
  readonly prefix: readonly string[];
  readonly changes: readonly ChangedKind[];
  /** Consequence of a deletion. */
  readonly removes: "named-devices" | "any-device" | EndedAccess | null;
}

const FAMILIES: readonly Family[] = [
  family("/api/v1/sensor/channel", ["controller", "channel"], "named-devices"),
  family("/api/v1/sensor", ["sensor", "farm"], "named-devices"),
  family("/api/v1/cluster", ["farm", "sensor"], null),
  family("/api/v1/controller/channel", ["channel"], "named-devices"),
  family("/api/v1/controller", ["controller", "channel"], "named-devices"),
  family("/api/v1/device", ["sensor", "controller"], "named-devices"),
  family("/api/v1/noti", ["notification"], null),
  family("/api/v1/session", [], { of: "caller", what: "session" }),
  family("/api/account", [], { of: "caller", what: "account" }),
  family("/api/v1/admin/user", ["sensor", "farm", "controller"], { of: "id", what: "account" }),
  family("/api/v1/admin/users", ["sensor", "farm", "controller"], { of: "id", what: "account" }),
  family("/api/v1/admin/sensor", ["sensor", "farm"], "any-device"),
  family("/api/v1/admin/sensors", ["sensor", "farm"], "any-device"),
  family("/api/v1/admin/controller", ["controller", "channel"], "any-device"),
  family("/api/v1/admin/device", ["sensor", "controller"], "any-device"),
  family("/api/v1/admin/devices", ["sensor", "controller"], "any-device"),
];

function family(prefix: string, changes: readonly ChangedKind[], removes: Family["removes"]): Family {
  return { prefix: prefix.slice(1).split("/"), changes, removes };
}

/** Words in an unknown path that say that it deletes, whatever its method: `delete`, `deleteAll`, `bulk-remove`. */
const DELETES = /delete|remove|destroy|erase|purge/;
const READS = ["GET", "HEAD", "OPTIONS"];

interface Pattern {
  readonly parts: readonly string[];
  /** The same parts, as a careless server compares them. */
  readonly words: readonly string[];
  /** All rows of this path. */
  readonly rows: readonly Operation[];
}

const PATTERNS: readonly Pattern[] = [...Map.groupBy(OPERATIONS, ({ path }) => path)]
  .map(([path, rows]) => {
    const parts = path.slice(1).split("/");
    return { parts, words: parts.map((part) => (part.startsWith(":") ? part : loosely(part))), rows };
  })
  // A fixed part goes before a parameter: `controller/cmd` is no controller's id.
  .toSorted((a, b) => rankOf(a).localeCompare(rankOf(b)));

function rankOf({ parts }: Pattern): string {
  return parts.map((part) => (part.startsWith(":") ? "1" : "0")).join("");
}

/** Return the letters, digits and dashes at the beginning of a part, as a careless server compares them. */
function loosely(part: string): string {
  return /^[\p{L}\p{N}_-]*/u.exec(part.normalize("NFKC").toLowerCase())?.[0] ?? "";
}

/** Find the pattern whose fixed parts are the given ones. */
const patternOf = (given: readonly string[], by: "parts" | "words"): Pattern | undefined =>
  PATTERNS.find(
    ({ [by]: fixed }) =>
      fixed.length === given.length &&
      fixed.every((part, index) => part.startsWith(":") || part === given[index]),
  );

function valuesOf(pattern: Pattern, parts: readonly string[]): Readonly<Record<string, string>> {
  return Object.fromEntries(
    pattern.parts.flatMap((name, index) =>
      name.startsWith(":") ? [[name.slice(1), parts[index] ?? ""]] : [],
    ),
  );
}

/**
 * Return the row that a method means: one that accepts it, else the row at this path that changes something,
 * so that an unusual method is not less safe than a usual one.
 */
function rowFor(rows: readonly Operation[], method: string): Operation | undefined {
  const asked = method === "HEAD" ? "GET" : method;
  const isWrite = ({ methods }: Operation) => methods.some((one) => one === "PUT" || one === "POST");
  return (
    rows.find(({ methods }) => methods.some((one) => one === asked)) ??
    rows.find(isWrite) ??
    rows.find(({ methods }) => methods.some((one) => one !== "GET")) ??
    rows.find(({ ends }) => ends !== undefined)
  );
}

/** Numbers of a plain spelling; `04`, `4.0` and `+4` are the same id to many servers. */
const PLAIN_NUMBER = /^(?:0|[1-9]\d*)$/;
const isOddNumber = (id: string): boolean =>
  !PLAIN_NUMBER.test(id) && id.trim() !== "" && Number.isFinite(Number(id.normalize("NFKC")));

function consequenceOf(row: Operation, values: Readonly<Record<string, string>>): Consequence | null {
  if (row.removes !== undefined) {
    const { kind, id } = row.removes;
    const value = values[id] ?? "";
    return kind === "any-sensor" ? { kind: "any-device", of: "sensor", ids: [value] } : { kind, id: value };
  }
  if (row.ends === undefined) return null;
  const { of, what } = row.ends;
  return { kind: "access", accountIds: of === "id" ? [values.id ?? ""] : null, what };
}

const isAdministration = ([, version, admin]: readonly string[]): boolean =>
  version === "v1" && loosely(admin ?? "") === "admin";

/** Decide about a call that no row knows by the family of its path. */
function unknownCall(method: string, parts: readonly string[]): FarmCall {
  const words = parts.map(loosely);
  const found = FAMILIES.find(({ prefix }) => prefix.every((part, index) => words[index] === part));
  const isRead = READS.includes(method);
  const deletes = method === "DELETE" || words.some((word) => DELETES.test(word));
  const unknown: FarmCall = {
    operation: null,
    isAccepted: true,
    changes: isRead ? [] : (found?.changes ?? []),
    administers: isAdministration(parts) ? { accountId: null } : null,
    consequence: null,
  };
  if (found?.removes == null || method === "OPTIONS" || (isRead && !deletes)) return unknown;
  const named = parts.slice(found.prefix.length);
  const { removes } = found;
  if (typeof removes === "string") {
    if (!deletes) return unknown;
    return {
      ...unknown,
      consequence:
        removes === "any-device" ? { kind: removes, of: null, ids: named } : { kind: removes, ids: named },
    };
  }
  const what = deletes ? removes.what : "unknown";
  const accountIds = removes.of === "id" ? named : null;
  return { ...unknown, consequence: { kind: "access", accountIds, what } };
}

/**
 * Match a request with its row, by the method and the target as they arrived.
 *
 * @returns null for a path outside `/api`, and unless the target has the one spelling of its call: in normal form, and nothing that another
 * server could take for a row, such as other letters or an ending (`controller/CMD`, `cmd.json`)
 */
export function matchCall(method: string, target: string): FarmCall | null {
  const parts = partsOf(target);
  if (parts?.[0] !== "api") return null;
  const exact = patternOf(parts, "parts");
  const words = parts.map(loosely).filter((word) => word !== "");
  if (exact !== patternOf(words, "words")) return null;
  if (exact === undefined) return unknownCall(method, parts);
  const row = method === "OPTIONS" ? undefined : rowFor(exact.rows, method);
  if (row === undefined) return unknownCall(method, parts);
  const values = valuesOf(exact, parts);
  const consequence = consequenceOf(row, values);
  if (consequence !== null && Object.values(values).some(isOddNumber)) return null;
  const asked = method === "HEAD" ? "GET" : method;
  return {
    operation: row,
    isAccepted: row.methods.some((one) => one === asked),
    changes: row.changes ?? [],
    administers: isAdministration(parts)
      ? { accountId: row.changesAccount === undefined ? null : (values[row.changesAccount] ?? null) }
      : null,
    consequence,
  };
}

/** Return the kinds of entity that any write to a path may change (POLL-8). */
export function changedKindsOf(path: string): readonly ChangedKind[] {
  const calls = ["POST", "PUT", "DELETE"].map((method) => matchCall(method, path)?.changes ?? []);
  return [...new Set(calls.flat())];
}

/** Return {@link FarmCall.administers} for a write to a path. */
export const administeredBy = (path: string): FarmCall["administers"] =>
  matchCall("POST", path)?.administers ?? null;
