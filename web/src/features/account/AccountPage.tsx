import { Button, Grid, Stack } from "@chakra-ui/react";
import { useMutation } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { useNavigate } from "react-router-dom";
import { updateAccount, updateAccountImage } from "../../api/account.ts";
import { useWriteFailureTexts } from "../../api/error-texts.ts";
import { callFailure, isStale } from "../../api/errors.ts";
import { useAccount, useRest } from "../../api/hooks.ts";
import { changedFields } from "../../api/http.ts";
import { Card } from "../../components/card.tsx";
import { ImageField } from "../../components/image-field.tsx";
import { PageHeading } from "../../components/page-heading.tsx";
import { toaster } from "../../components/toaster.tsx";
import { ProfileFields, useProfileLabels } from "../../domain/account/ProfileFields.tsx";
import {
  type ProfileValues,
  profileBody,
  profileFaults,
  profileOf,
  profileOffer,
} from "../../domain/account/profile.ts";
import { Form, FormActions } from "../../domain/form/form.tsx";
import { LeaveGuard } from "../../domain/form/leave-guard.tsx";
import { faultTexts, useForm } from "../../domain/form/use-form.ts";
import { DEFAULT_ZONE } from "../../domain/time/use-time-texts.ts";
import { languageOf } from "../../i18n/language.ts";
import { chooseLanguage } from "../../i18n/translations.ts";
import { AccountSettings } from "./AccountSettings.tsx";
import { SessionsCard } from "./SessionsCard.tsx";

/** The photo and the profile are saved one after the other: one toast is enough. */
const SAVED = "account-saved";

/** Account page: profile, sessions, care of the farm during absence, and display settings of this browser. */
export function AccountPage() {
  const { t } = useTranslation("account");
  const account = useAccount();
  return (
    <Stack gap="4" maxW="72rem">
      <PageHeading mb="0" title={t("title")} note={`${t("username")} ${account.username}`} />
      <Grid
        alignContent="start"
        gap="4"
        minW="0"
        templateColumns={{ lg: "minmax(0, 1.6fr) minmax(20rem, 1fr)" }}
      >
        <Grid alignContent="start" gap="4" minW="0">
          <Card>
            <Grid gap="6">
              <PhotoField />
              <ProfileForm />
            </Grid>
          </Card>
          <SessionsCard />
        </Grid>
        <AccountSettings />
      </Grid>
    </Stack>
  );
}

/** The user's own photo. It is uploaded as soon as it is chosen, independent of the form. */
function PhotoField() {
  const { t } = useTranslation("account");
  const failureTexts = useWriteFailureTexts();
  const account = useAccount();
  const { client, session } = useRest();
  const { mutate, isPending, error } = useMutation({
    async mutationFn(file: File) {
      await updateAccountImage(client, file);
      await session.reloadAccount().catch(() => undefined);
    },
    onSuccess: () => toaster.create({ id: SAVED, type: "success", title: t("photo.saved") }),
  });
  return (
    <ImageField
      label={t("photo.title")}
      shape="portrait"
      value={null}
      current={account.imagePath}
      error={error && failureTexts(t("photo.failed"), callFailure(error))}
      disabled={isPending}
      onChange={(file) => file && mutate(file)}
    />
  );
}

/** Form of the user's own profile. */
export function ProfileForm() {
  const { t } = useTranslation(["account", "common"]);
  const account = useAccount();
  const { client, session } = useRest();
  const navigate = useNavigate();
  const labels = useProfileLabels();
  const offer = profileOffer(account);
  const stored = profileOf(account, DEFAULT_ZONE);
  const form = useForm<ProfileValues>({
    values: stored,
    draft: `account ${account.id}`,
    version: account.version,
    rules: (values) => faultTexts(profileFaults(values, stored), (fault) => t(`profile.fault.${fault}`)),
    serverTexts(field) {
      if (field === "timezone") return t("profile.fault.zone");
      if (field === "userAddress") return t("profile.fault.email");
      return field === "emailNotification" ? t("profile.fault.noEmail") : undefined;
    },
    async submit(values) {
      const body = profileBody(values, offer);
      // An API without versions gets every field, as the base contract requires.
      const sent = account.version ? changedFields(body, profileBody(stored, offer)) : body;
      try {
        await updateAccount(client, account.id, sent, account.version);
      } catch (error) {
        // Load what others saved into the unchanged fields; a field changed by both shows both values.
        if (isStale(error)) await session.reloadAccount().catch(() => undefined);
        throw error;
      }
      // The profile is saved; if the reload fails, the next start of the page shows it.
      await session.reloadAccount().catch(() => undefined);
      // A user who reads the page in another language than their e-mails keeps it, unless the e-mail language
      // was changed.
      const language = values.language === stored.language ? null : languageOf(values.language);
      if (language) await chooseLanguage(language).catch(() => undefined);
      toaster.create({ id: SAVED, type: "success", title: t("profile.saved") });
    },
    saved: () => void navigate("/dashboard"),
  });
  return (
    <Form
      form={form}
      labels={labels}
      actions={
        <FormActions>
          <Button type="submit" size="lg" loading={form.busy} loadingText={t("common:action.save")}>
            {t("common:action.save")}
          </Button>
        </FormActions>
      }
    >
      <LeaveGuard when={form.changed} />
      <ProfileFields form={form} offer={offer} whose="own" />
    </Form>
  );
}
