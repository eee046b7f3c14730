import { PASSWORD_MAX_LENGTH } from "@mulkko/shared/rules/login";
import { useTranslation } from "react-i18next";
import { useNavigate } from "react-router-dom";
import { hasUser, registerUser } from "../../api/admin-users.ts";
import { useExtension } from "../../api/extensions.ts";
import { useAccount, useRest } from "../../api/hooks.ts";
import { TextField } from "../../components/field.tsx";
import { toaster } from "../../components/toaster.tsx";
import { ProfileFields } from "../../domain/account/ProfileFields.tsx";
import { USERS_PATH, useReturn } from "../../domain/admin-list/use-return.ts";
import { FormPage } from "../../domain/form/form-page.tsx";
import { useForm } from "../../domain/form/use-form.ts";
import { RoleField, UsernameField, useUserFaults } from "./user-fields.tsx";
import { NEW_USER, NEW_USER_OFFER, type NewUserValues, newUserFaults, registerBody } from "./user-values.ts";

/** `/adminpage/user/add`: a new account. */
export function UserAddPage() {
  const { t } = useTranslation("admin-users");
  const navigate = useNavigate();
  const { client, session } = useRest();
  const { onlyAccount } = useAccount();
  const returnTo = useReturn(USERS_PATH);
  const hasRole = useExtension("user-role");
  const isIdempotent = useExtension("idempotent-create");
  const faultTexts = useUserFaults();
  const form = useForm<NewUserValues>({
    values: NEW_USER,
    draft: "new user",
    rules: (values) => faultTexts(newUserFaults(values)),
    conflictField: "username",
    conflictTexts: t("fault.taken"),
    failed: t("add.failed"),
    creates: { isIdempotent, exists: ({ username }) => hasUser(client, username.trim()) },
    async submit(values, key) {
      await registerUser(client, registerBody(hasRole ? values : { ...values, userType: "USER" }), key);
      // With a second account the administration is the home (FIRST-1).
      if (onlyAccount) await session.reloadAccount().catch(() => undefined);
      toaster.create({ type: "success", title: t("add.done") });
    },
    // Clear the search, so that the list contains the new account.
    saved: () => void navigate(USERS_PATH),
  });
  return (
    <FormPage form={form} returnTo={returnTo} title={t("add.title")} submit={t("add.submit")} settled={false}>
      <div className="form__pair">
        <UsernameField {...form.field("username")} />
        <TextField
          {...form.field("password")}
          label={t("add.password")}
          hint={t("hint.password")}
          type="password"
          autoComplete="new-password"
          maxLength={PASSWORD_MAX_LENGTH}
          required
        />
      </div>
      <ProfileFields form={form} offer={NEW_USER_OFFER} whose="other" />
      {hasRole && <RoleField {...form.field("userType")} />}
    </FormPage>
  );
}
