import { Button } from "@chakra-ui/react";
import { useTranslation } from "react-i18next";
import { Link, Navigate, useSearchParams } from "react-router-dom";
import { ErrorNote } from "../../components/alerts.tsx";
import { EmptyState } from "../../components/empty-state.tsx";
import { FormPageLoading } from "../../components/form/form-page-loading.tsx";
import { EmptyField } from "../../components/scenes/empty-field.tsx";
import { useFailureWords } from "../../components/use-error-words.ts";
import { USERS_PATH } from "../../domain/admin-list/use-return.ts";
import { UserEdit } from "./UserEdit.tsx";
import { useUser } from "./use-user.ts";
import "./admin-users.css";

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
      return (
        <EmptyState
          scene={<EmptyField />}
          title={t("user.gone")}
          action={
            <Button asChild variant="outline">
              <Link to={USERS_PATH}>{t("user.toList")}</Link>
            </Button>
          }
        />
      );
    case "failed":
      return <ErrorNote retry={again}>{failureWords(asked)}</ErrorNote>;
    case "there":
      return <UserEdit user={asked.user} />;
  }
}
