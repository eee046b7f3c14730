import type { UserEntry } from "@mulkko/shared/rest/admin-user";
import { useTranslation } from "react-i18next";
import { Navigate, useSearchParams } from "react-router-dom";
import { fetchUser } from "../../api/admin-users.ts";
import { ApiError, type CallFailure, callFailure } from "../../api/errors.ts";
import { useRestQuery } from "../../api/queries.tsx";
import { ErrorNote } from "../../components/alerts.tsx";
import { FormPageEmpty, FormPageLoading } from "../../components/form/form-page.tsx";
import { useFailureWords } from "../../components/use-error-words.ts";
import { USERS_PATH } from "../../domain/admin-list/use-return.ts";
import { UserEdit } from "./UserEdit.tsx";

/** `/adminpage/user?id=`: edit or delete one account. */
export function UserPage() {
  const [params] = useSearchParams();
  const id = params.get("id");
  if (!id) return <Navigate to={USERS_PATH} replace />;
  return <AskedUser key={id} id={id} />;
}

function AskedUser({ id }: { id: string }) {
  const { t } = useTranslation("admin-users");
  const failureWords = useFailureWords();
  const { asked, again } = useUser(id);
  switch (asked.state) {
    case "loading":
      return <FormPageLoading />;
    case "gone":
      return <FormPageEmpty title={t("user.gone")} to={USERS_PATH} toList={t("user.toList")} />;
    case "failed":
      return <ErrorNote retry={again}>{failureWords(asked)}</ErrorNote>;
    case "there":
      return <UserEdit user={asked.user} />;
  }
}

/** Loading state of a requested account. */
type AskedUser =
  | { readonly state: "loading" }
  | { readonly state: "there"; readonly user: UserEntry }
  | { readonly state: "gone" }
  | ({ readonly state: "failed" } & CallFailure);

/** Statuses of an id without an account: unknown or malformed. */
const NO_SUCH = [404, 422];

/** Load one account; `again` retries after a failure. */
function useUser(id: string): { readonly asked: AskedUser; again(): void } {
  const { data, error, refetch } = useRestQuery(["user", id], (rest, signal) => fetchUser(rest, id, signal));
  const again = () => void refetch();
  if (data !== null) return { asked: { state: "there", user: data }, again };
  if (error === null) return { asked: { state: "loading" }, again };
  const gone = error instanceof ApiError && NO_SUCH.includes(error.status);
  return { asked: gone ? { state: "gone" } : { state: "failed", ...callFailure(error) }, again };
}
