import { Box, Button, Grid, Text } from "@chakra-ui/react";
import type { UserEntry } from "@mulkko/shared/rest/admin-user";
import { useMemo, useState } from "react";
import { useTranslation } from "react-i18next";
import { Navigate, useNavigate, useSearchParams } from "react-router-dom";
import { deleteUser, fetchUser, updateUser } from "../../api/admin-users.ts";
import { useFailureTexts } from "../../api/error-texts.ts";
import { ApiError, callFailure, isStale } from "../../api/errors.ts";
import { useExtension } from "../../api/extensions.ts";
import { useAccount, useRest } from "../../api/hooks.ts";
import { changedFields } from "../../api/http.ts";
import { useRestQuery } from "../../api/queries.tsx";
import { ErrorNote } from "../../components/alerts.tsx";
import { TextField } from "../../components/field.tsx";
import { ImageFrame } from "../../components/image-field.tsx";
import { deleteAction, OverflowMenu } from "../../components/menu.tsx";
import { toaster } from "../../components/toaster.tsx";
import { PasswordDialog } from "../../domain/account/PasswordDialog.tsx";
import { ProfileFields, useProfileLabels } from "../../domain/account/ProfileFields.tsx";
import { USERS_PATH, useReturn } from "../../domain/admin-list/use-return.ts";
import { DeletionQuestion, useDeletion } from "../../domain/form/deletion-question.tsx";
import { FormCheck } from "../../domain/form/form-check.tsx";
import { FormPage, FormPageEmpty, FormPageLoading } from "../../domain/form/form-page.tsx";
import { useForm } from "../../domain/form/use-form.ts";
import { useInsist } from "../../domain/form/use-insist.ts";
import { DEFAULT_ZONE } from "../../domain/time/use-time-texts.ts";
import { ReadAsButton } from "../../domain/view-as/ReadAsButton.tsx";
import { RoleField, UsernameField, useUserFaults } from "./user-fields.tsx";
import {
  isLastAdministrator,
  roleField,
  type UserValues,
  updateBody,
  userFaults,
  userOffer,
  userValuesOf,
  withRole,
} from "./user-values.ts";

/** Three buttons are a row and a half on a phone: the longest has the row. */
const WHOLE_ROW = {
  "[data-surface=phone] & [data-testid=page-actions]:has(> :nth-child(3)) > .read-as": {
    flexBasis: "100%",
  },
};

/** A UUID is read, and compared, as a whole. */
const PICTURE_AND_ID = {
  "[data-surface=phone] &": { gridTemplateColumns: "minmax(0, 1fr)" },
  "[data-surface=phone] & input": { fontSize: "caption" },
};

/** Edit one account. Its password and its deletion have their own dialogs. */
function UserEdit({ user: found }: { user: UserEntry }) {
  const [user, setUser] = useState(found);
  const { t } = useTranslation(["admin-users", "account", "common"]);
  const navigate = useNavigate();
  const labels = useProfileLabels();
  const { client, session } = useRest();
  const own = useAccount();
  const hasTrash = useExtension("trash");
  const returnTo = useReturn(USERS_PATH);
  const faultTexts = useUserFaults();
  const [asksPassword, setAsksPassword] = useState(false);
  const insist = useInsist();
  const lastAdministratorTexts = (code: string) =>
    isLastAdministrator(code) ? t("lastAdministrator.cannotGo") : null;
  const deletion = useDeletion<UserEntry>({
    remove: (rest, { id }, over) => deleteUser(rest, id, over),
    removed() {
      toaster.create({ type: "success", title: t("delete.done") });
      void navigate(returnTo, { replace: true });
    },
    failed: t("delete.failed"),
    why: lastAdministratorTexts,
  });
  const stored = useMemo(() => userValuesOf(user, DEFAULT_ZONE), [user]);
  const offer = userOffer(user);
  const isOwn = `${own.id}` === `${user.id}`;
  const form = useForm<UserValues>({
    values: stored,
    draft: `user ${user.id}`,
    version: user.version,
    rules: (values) => faultTexts(userFaults(values, stored)),
    conflictField: "username",
    conflictTexts: t("fault.taken"),
    serverTexts: (field) =>
      field === "userType" || field === "disabled" ? t("lastAdministrator.stays") : undefined,
    async submit(values) {
      try {
        const body = updateBody(values, offer);
        // An API without versions gets every field, as the base contract requires.
        const sent = user.version === undefined ? body : changedFields(body, updateBody(stored, offer));
        await insist.send((over) => updateUser(client, user.id, sent, user.version, over));
      } catch (error) {
        // Load what others saved into the unchanged fields; a field changed by both shows both values.
        if (isStale(error)) setUser(await fetchUser(client, `${user.id}`, new AbortController().signal));
        throw withRole(error, roleField(values, stored));
      }
      // Header and times depend on the own account; if the reload fails, the next start shows the change.
      if (isOwn) await session.reloadAccount().catch(() => undefined);
      toaster.create({ type: "success", title: t("user.saved") });
    },
    saved: () => void navigate(returnTo),
  });
  const name = stored.nickname || stored.username;
  const { deviceCount } = user;

  return (
    <Box css={WHOLE_ROW}>
      <FormPage
        form={form}
        returnTo={returnTo}
        title={name}
        note={t(`type.${stored.userType}`)}
        actions={
          <>
            <ReadAsButton account={{ id: `${user.id}`, name }} />
            <Button variant="outline" onClick={() => setAsksPassword(true)}>
              {t("account:password.open")}
            </Button>
            <OverflowMenu
              label={t("user.more")}
              actions={[deleteAction(t("delete.action"), () => deletion.ask(user))]}
            />
          </>
        }
        submit={t(insist.isRefused ? "common:openValve.goOn" : "common:action.save")}
        settled={deletion.isSettled}
        labels={{
          username: t("column.username"),
          ...labels,
          userType: t("column.userType"),
          disabled: t("disabled.label"),
        }}
      >
        <Grid templateColumns="auto minmax(0, 1fr)" alignItems="center" gap="4" css={PICTURE_AND_ID}>
          <ImageFrame address={user.imagePath || null} shape="portrait" />
          <TextField label="UUID" value={`${user.id}`} readOnly />
        </Grid>
        <UsernameField {...form.field("username")} />
        <ProfileFields form={form} offer={offer} whose="other" />
        {offer.userType && <RoleField {...form.field("userType")} />}
        {offer.disabled && (
          <FormCheck {...form.field("disabled")} label={t("disabled.label")} hint={t("disabled.hint")} />
        )}
        {insist.isRefused && <Text color="fg.error">{t("common:openValve.lastAccess")}</Text>}
      </FormPage>
      {asksPassword && (
        <PasswordDialog
          own={false}
          account={user}
          note={t(isOwn ? "account:password.others" : "password.ends")}
          onClose={() => setAsksPassword(false)}
        />
      )}
      <DeletionQuestion deletion={deletion} title={t("delete.title", { name })}>
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
    </Box>
  );
}

/** `/adminpage/user?id=`: edit or delete one account. */
export function UserPage() {
  const [params] = useSearchParams();
  const id = params.get("id");
  if (!id) return <Navigate to={USERS_PATH} replace />;
  return <AskedUser key={id} id={id} />;
}

/** Statuses of an id without an account: unknown or malformed. */
const NO_SUCH = [404, 422];

function AskedUser({ id }: { id: string }) {
  const { t } = useTranslation("admin-users");
  const failureTexts = useFailureTexts();
  const { data, error, refetch } = useRestQuery(["user", id], (rest, signal) => fetchUser(rest, id, signal));
  if (data !== null) return <UserEdit user={data} />;
  if (error === null) return <FormPageLoading />;
  if (error instanceof ApiError && NO_SUCH.includes(error.status))
    return <FormPageEmpty title={t("user.gone")} to={USERS_PATH} toList={t("user.toList")} />;
  return <ErrorNote retry={() => void refetch()}>{failureTexts(callFailure(error))}</ErrorNote>;
}
