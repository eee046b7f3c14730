import type { UserEntry } from "@mulkko/shared/rest/admin-user";
import { fetchUser } from "../../api/admin-users.ts";
import { ApiError, type CallFailure, callFailure } from "../../api/errors.ts";
import { useRestQuery } from "../../api/queries.tsx";

/** Loading state of a requested account. */
type AskedUser =
  | { readonly state: "loading" }
  | { readonly state: "there"; readonly user: UserEntry }
  | { readonly state: "gone" }
  | ({ readonly state: "failed" } & CallFailure);

/** Statuses of an id without an account: unknown or malformed. */
const NO_SUCH = [404, 422];

/** Load one account; `again` retries after a failure. */
export function useUser(id: string): { readonly asked: AskedUser; again(): void } {
  const { data, error, refetch } = useRestQuery(["user", id], (rest, signal) => fetchUser(rest, id, signal));
  const again = () => void refetch();
  if (data !== null) return { asked: { state: "there", user: data }, again };
  if (error === null) return { asked: { state: "loading" }, again };
  const gone = error instanceof ApiError && NO_SUCH.includes(error.status);
  return { asked: gone ? { state: "gone" } : { state: "failed", ...callFailure(error) }, again };
}
