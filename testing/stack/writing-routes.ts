import { openApi } from "@mulkko/shared/rest/operations/account";
import { OPERATIONS } from "@mulkko/shared/rest/operations/table";
import { relayPath } from "@mulkko/shared/rest/routes";
import { Type } from "typebox";
import { read, type SignedIn } from "./account.ts";

const Operations = Type.Object({
  paths: Type.Record(Type.String(), Type.Record(Type.String(), Type.Unknown())),
});
const WRITES = ["POST", "PUT", "PATCH", "DELETE"] as const;
/** Placeholder for every id: no thing has this name. */
const UNKNOWN_ID = "11";
/** Not routes, but endpoints of the live protocol. */
const DOORS: readonly string[] = [relayPath.socketIo, relayPath.webSocket];

const relayPaths = (): string[] =>
  Object.values(relayPath).map((path) => (typeof path === "string" ? path : path(UNKNOWN_ID)));

const farmPaths = (): string[] => OPERATIONS.map(({ path }) => path.replaceAll(/:\w+/g, UNKNOWN_ID));

/** A call that writes. */
export interface WritingRoute {
  readonly method: string;
  readonly path: string;
}

/**
 * Return all calls that write: those in the farm API's own document, and every path of the contract,
 * including the relay's, with every writing method.
 */
export async function writingRoutes(account: SignedIn): Promise<readonly WritingRoute[]> {
  const { paths } = await read(await account.get(openApi.path), Operations);
  const documented = Object.entries(paths).flatMap(([path, methods]) =>
    Object.keys(methods)
      .map((method) => method.toUpperCase())
      .filter((method) => WRITES.some((write) => write === method))
      .map((method) => ({ method, path: path.replaceAll(/\{[^}]+\}/g, UNKNOWN_ID) })),
  );
  const contract = [...farmPaths(), ...relayPaths()].filter((path) => !DOORS.includes(path));
  const tried = contract.flatMap((path) => WRITES.map((method) => ({ method, path })));
  return [...new Map([...documented, ...tried].map((one) => [`${one.method} ${one.path}`, one])).values()];
}
