import { Button, Text } from "@chakra-ui/react";
import type { Account } from "@mulkko/shared/entities/account";
import { hasPasswordLength, PASSWORD_MAX_LENGTH, PASSWORD_MIN_LENGTH } from "@mulkko/shared/rules/login";
import { useId } from "react";
import { useTranslation } from "react-i18next";
import { changeOwnPassword } from "../../api/account.ts";
import { changePassword } from "../../api/admin-users.ts";
import { fetchDisplays } from "../../api/displays.ts";
import { ApiError, isUnknownOutcome } from "../../api/errors.ts";
import { useRest } from "../../api/hooks.ts";
import { useRestQuery } from "../../api/queries.tsx";
import { Modal } from "../../components/dialog.tsx";
import { TextField } from "../../components/field.tsx";
import { toaster } from "../../components/toaster.tsx";
import { Form } from "../form/form.tsx";
import { FormFailure } from "../form/refusal.ts";
import { faultTexts, useForm } from "../form/use-form.ts";
import { useInsist } from "../form/use-insist.ts";

interface PasswordValues {
  /** Empty if an administrator sets the password. */
  readonly currentPassword: string;
  readonly newPassword: string;
  readonly confirmPassword: string;
}

type PasswordFault = "required" | "short" | "differs";

const PASSWORD_SHORTEST = PASSWORD_MIN_LENGTH.change;

/** Check a new password and its repetition, and with `own` that the current one is given. */
export function passwordFaults(
  values: PasswordValues,
  own: boolean,
): Partial<Record<keyof PasswordValues, PasswordFault>> {
  const { currentPassword, newPassword, confirmPassword } = values;
  const faults: Partial<Record<keyof PasswordValues, PasswordFault>> = {};
  if (own && currentPassword === "") faults.currentPassword = "required";
  if (!hasPasswordLength(newPassword, PASSWORD_SHORTEST)) faults.newPassword = "short";
  if (confirmPassword !== newPassword) faults.confirmPassword = "differs";
  return faults;
}

interface PasswordDialogProps {
  account: Pick<Account, "id" | "username">;
  /**
   * True if the user changes their own password: the form then asks for the current one. False: an
   * administrator sets it.
   */
  own: boolean;
  /** Further effects of the new password, shown in the dialog. */
  note: string;
  /** Called after the change, before the dialog closes. */
  onChanged?: () => void;
  onClose: () => void;
}

/**
 * Set a new password, as an administrator or with the current one. Mount it each time it opens, so that it
 * starts empty. The page loads the translations of `account`.
 */
export function PasswordDialog({ account, own, note, onChanged, onClose }: PasswordDialogProps) {
  const { t } = useTranslation(["account", "common"]);
  const { client } = useRest();
  const formId = useId();
  const insist = useInsist();
  const limits = { min: PASSWORD_SHORTEST, max: PASSWORD_MAX_LENGTH };
  const form = useForm<PasswordValues>({
    values: { currentPassword: "", newPassword: "", confirmPassword: "" },
    rules: (values) =>
      faultTexts(passwordFaults(values, own), (fault) => t(`password.fault.${fault}`, limits)),
    // Only the server knows the password policy: its sentences are quoted.
    serverTexts: (field, sentence) =>
      field === "currentPassword" ? t("password.fault.wrong") : t("common:form.refused", { sentence }),
    async submit({ currentPassword, newPassword }) {
      try {
        await insist.send((over) =>
          own
            ? changeOwnPassword(client, currentPassword, newPassword, over)
            : changePassword(client, account.id, newPassword, over),
        );
      } catch (error) {
        // Without a reason from the server, show the general failure text.
        throw error instanceof ApiError && !error.hasReason && !isUnknownOutcome(error)
          ? new FormFailure(t("password.failed"))
          : error;
      }
      toaster.create({ type: "success", title: t("password.changed") });
      onChanged?.();
      onClose();
    },
  });
  const field = (name: keyof PasswordValues, hint?: string) => (
    <TextField
      {...form.field(name)}
      label={t(`password.${name}`)}
      hint={hint}
      type="password"
      autoComplete={name === "currentPassword" ? "current-password" : "new-password"}
      maxLength={PASSWORD_MAX_LENGTH}
      required
      onBlur={() => form.values[name] !== "" && form.touch(name)}
    />
  );
  return (
    <Modal
      open
      title={t("password.title")}
      onClose={form.busy ? () => undefined : onClose}
      actions={
        <>
          <Button variant="outline" disabled={form.busy} onClick={onClose}>
            {t("common:action.cancel")}
          </Button>
          <Button type="submit" form={formId} loading={form.busy}>
            {t(insist.isRefused ? "common:openValve.goOn" : "password.submit")}
          </Button>
        </>
      }
    >
      <Form id={formId} form={form}>
        {/* Tells the browser's password manager which account the password belongs to. */}
        <input hidden readOnly name="username" autoComplete="username" value={account.username} />
        {own && field("currentPassword")}
        {field("newPassword", t("password.hint", limits))}
        {field("confirmPassword")}
        <Text color="fg.muted" fontSize="label">
          {note}
        </Text>
        <EndingDisplays accountId={account.id} />
        {insist.isRefused && <Text color="fg.error">{t("common:openValve.lastAccess")}</Text>}
      </Form>
    </Modal>
  );
}

/** Names listed in full; the remaining ones are counted. */
const NAMED = 5;

/** List the wall displays that the new password disconnects, by name. */
function EndingDisplays({ accountId }: { accountId: Account["id"] }) {
  const { t } = useTranslation("account");
  const { data: displays, error } = useRestQuery(["displays"], fetchDisplays);
  if (error !== null)
    return (
      <Text color="fg.muted" fontSize="label">
        {t("password.displaysUnread")}
      </Text>
    );
  const ending = (displays ?? []).filter(({ account }) => String(account) === String(accountId));
  if (ending.length === 0) return null;
  const named = ending.slice(0, NAMED).map(({ settings }) => settings.name);
  const names = [...named, ...(ending.length > NAMED ? [`+${ending.length - NAMED}`] : [])].join(" · ");
  return (
    <Text color="fg.muted" fontSize="label">
      {t("password.displays", { count: ending.length, names })}
    </Text>
  );
}
