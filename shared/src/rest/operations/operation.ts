import type { TSchema } from "typebox";

export type Method = "GET" | "POST" | "PUT" | "DELETE";

/** Kinds of entity whose lists become due after a call (POLL-8). */
export type ChangedKind = "sensor" | "farm" | "controller" | "channel" | "notification" | "account";

/** Thing that a call removes, named by a parameter of its path: its valves are closed first (CMD-15). */
export type Removal =
  | { readonly kind: "channel"; readonly id: "channelId" }
  /** A controller, or a COT sensor with its channels. */
  | { readonly kind: "device"; readonly id: "id" }
  /** A sensor of any account, removed by an administrator. */
  | { readonly kind: "any-sensor"; readonly id: "id" };

/**
 * Access that a call ends (AUTH-4, CMD-15): of the caller, or of the account in the path's `:id`.
 *
 * - `session`: one session.
 * - `password`: every session that was opened with the old password, and the account's displays.
 * - `change`: all sessions, if the change disables the account.
 * - `account`: everything, with the account's devices.
 */
export interface EndedAccess {
  readonly of: "caller" | "id";
  readonly what: "session" | "password" | "change" | "account";
}

/**
 * One call of the farm API. API, relay and client make their routes, decisions and requests from this row;
 * no other place names the path or decides by it.
 */
export interface Operation {
  /** All accepted methods; the first is sent (WAY-1). */
  readonly methods: readonly [Method, ...Method[]];
  /** Path with its parameters, such as `/api/v1/sensor/delete/:id`. */
  readonly path: `/api/${string}`;
  readonly query?: TSchema;
  readonly body?: TSchema;
  /**
   * Answer by the contract; null for an empty one (204). The bundled API may answer more fields. Absent where
   * the answer depends on a device's type, or is a file.
   */
  readonly answer?: TSchema | null;
  /** Status of success where it is neither 200 nor, for an empty answer, 204. */
  readonly status?: 201 | 202;
  /** Lists that the call changes (POLL-8). */
  readonly changes?: readonly ChangedKind[];
  /** Account that an administrator's call changes, named by its path; a body may name it as `userId`. */
  readonly changesAccount?: "id";
  readonly removes?: Removal;
  readonly ends?: EndedAccess;
  /** An administrator may read it as another account (HS-2). */
  readonly readableAs?: true;
  /** May open water: a valve (CMD-0), or a mode of a channel (CMD-16). */
  readonly commands?: "valve" | "mode";
  /** The answer to a read has secrets beside texts of others: it is not compressed. */
  readonly secret?: true;
  /** The relay answers the call itself; it is passed on in no other way. */
  readonly answeredByRelay?: true;
}

/** Names of the parameters in a path. */
export type ParameterOf<Path extends string> = Path extends `${string}:${infer Name}/${infer Rest}`
  ? Name | ParameterOf<`/${Rest}`>
  : Path extends `${string}:${infer Name}`
    ? Name
    : never;

export type PathValues<Path extends string> = Readonly<Record<ParameterOf<Path>, string | number>>;

const PARAMETER = /:(\w+)/g;

/** Return the path of a call with its parameters encoded. */
export function pathTo<const Path extends string>(
  { path }: { readonly path: Path },
  values: PathValues<Path>,
): string {
  const named: Readonly<Record<string, string | number | undefined>> = values;
  return path.replace(PARAMETER, (_whole, name: string) => encodeURIComponent(named[name] ?? ""));
}

/** Return the names of a path's parameters, in their order. */
export const parametersOf = ({ path }: Pick<Operation, "path">): readonly string[] =>
  [...path.matchAll(PARAMETER)].flatMap(([, name]) => name ?? []);

/** A call as a client sends it. */
export interface OperationCall {
  readonly method: Method;
  readonly path: string;
  readonly operation: Operation;
}

/** Return method and path of a call. */
export function callOf<const Row extends Operation>(
  operation: Row,
  values: PathValues<Row["path"]>,
): OperationCall {
  return { method: operation.methods[0], path: pathTo(operation, values), operation };
}
