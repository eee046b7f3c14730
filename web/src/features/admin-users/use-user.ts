import type { UserEntry } from "@mulkko/shared/rest/admin-user";
import { useEffect, useState } from "react";
import { fetchUser } from "../../rest/admin-users.ts";
import { ApiError, type CallFailure, callFailure } from "../../rest/errors.ts";
import { useRest } from "../../rest/hooks.ts";

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
  const { client } = useRest();
  const [asked, setAsked] = useState<AskedUser>({ state: "loading" });
  const [round, setRound] = useState(0);
  // biome-ignore lint/correctness/useExhaustiveDependencies: `round` counts the requests for the account
  useEffect(() => {
    const abort = new AbortController();
    setAsked({ state: "loading" });
    fetchUser(client, id, abort.signal).then(
      (user) => setAsked({ state: "there", user }),
      (error: unknown) => {
        if (abort.signal.aborted) return;
        const gone = error instanceof ApiError && NO_SUCH.includes(error.status);
        setAsked(gone ? { state: "gone" } : { state: "failed", ...callFailure(error) });
      },
    );
    return () => abort.abort();
  }, [client, id, round]);
  return { asked, again: () => setRound((count) => count + 1) };
}
