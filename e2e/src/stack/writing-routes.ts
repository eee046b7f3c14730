import { apiPath, relayPath } from "@mulkko/shared/rest/routes";
import { Type } from "typebox";
import { read, type SignedIn } from "./account.ts";

/** Where the farm API tells of its operations. */
const OPENAPI = "/api/openapi.json";
const Operations = Type.Object({
  paths: Type.Record(Type.String(), Type.Record(Type.String(), Type.Unknown())),
});
const WRITES = ["POST", "PUT", "PATCH", "DELETE"] as const;
/** Stands for every id: no thing is called so. */
const NOBODY = "11";
/** Not routes, but doors of the live protocol. */
const DOORS: readonly string[] = [relayPath.socketIo, relayPath.webSocket];

const pathsOf = (book: typeof relayPath | typeof apiPath): string[] =>
  Object.values(book).map((path) => (typeof path === "string" ? path : path(NOBODY, NOBODY, NOBODY, NOBODY)));

/** A call that writes. */
export interface WritingRoute {
  readonly method: string;
  readonly path: string;
}

/**
 * All calls that write: those that the farm API's own document tells of, and every path of the contract, the relay's
 * among them, with every method that writes.
 */
export async function writingRoutes(account: SignedIn): Promise<readonly WritingRoute[]> {
  const { paths } = await read(await account.get(OPENAPI), Operations);
  const told = Object.entries(paths).flatMap(([path, methods]) =>
    Object.keys(methods)
      .map((method) => method.toUpperCase())
      .filter((method) => WRITES.some((write) => write === method))
      .map((method) => ({ method, path: path.replaceAll(/\{[^}]+\}/g, NOBODY) })),
  );
  const contract = [...pathsOf(apiPath), ...pathsOf(relayPath)].filter((path) => !DOORS.includes(path));
  const tried = contract.flatMap((path) => WRITES.map((method) => ({ method, path })));
  return [...new Map([...told, ...tried].map((one) => [`${one.method} ${one.path}`, one])).values()];
}
