import type { UserEntry } from "@mulkko/shared/rest/admin-user";
import { useTranslation } from "react-i18next";
import { useExtension } from "../../api/extensions.ts";
import { DeletionQuestion } from "../../components/form/deletion-question.tsx";
import type { Deletion } from "../../components/form/use-deletion.ts";

interface UserDeletionDialogProps {
  user: UserEntry;
  /** True for the account of the signed-in administrator. */
  isOwn: boolean;
  deletion: Deletion;
}

/** Confirm account deletion and list the devices deleted with it. */
export function UserDeletionDialog({ user, isOwn, deletion }: UserDeletionDialogProps) {
  const { t } = useTranslation("admin-users");
  const { deviceCount } = user;
  const hasTrash = useExtension("trash");
  return (
    <DeletionQuestion title={t("delete.title", { name: user.nickname || user.username })} deletion={deletion}>
      <p>
        {deviceCount === undefined
          ? t("delete.takesAll")
          : deviceCount === 0
            ? t("delete.takesNone")
            : t("delete.takes", { count: deviceCount })}{" "}
        {t(hasTrash ? "delete.trash" : "delete.forEver")}
      </p>
      {isOwn && <p>{t("delete.own")}</p>}
    </DeletionQuestion>
  );
}
