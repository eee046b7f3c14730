import { Grid, Stack } from "@chakra-ui/react";
import { useMutation } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { updateAccountImage } from "../../api/account.ts";
import { useAccount, useRest } from "../../api/hooks.ts";
import { Card } from "../../components/card.tsx";
import { ImageField } from "../../components/image-field.tsx";
import { useLoaded } from "../../components/lazy/use-loaded.ts";
import { PageHeading } from "../../components/page-heading.tsx";
import { Skeleton } from "../../components/skeleton.tsx";
import { toaster } from "../../components/toaster.tsx";
import { useErrorWords } from "../../components/use-error-words.ts";
import { ProfileForm } from "./ProfileForm.tsx";
import { SessionsCard } from "./SessionsCard.tsx";

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
        <LateSettings />
      </Grid>
    </Stack>
  );
}

const bringSettings = async () => (await import("./AccountSettings.tsx")).AccountSettings;

/** The settings are loaded and drawn after the profile, so that the page answers sooner on a slow phone. */
function LateSettings() {
  const settings = useLoaded(bringSettings);
  return settings.state === "there" ? <settings.value /> : <Skeleton height="9.5rem" />;
}

/** The user's own photo. It is uploaded as soon as it is chosen, independent of the form. */
function PhotoField() {
  const { t } = useTranslation("account");
  const errorWords = useErrorWords();
  const account = useAccount();
  const { client, session } = useRest();
  const { mutate, isPending, error } = useMutation({
    async mutationFn(file: File) {
      await updateAccountImage(client, file);
      await session.reloadAccount().catch(() => undefined);
    },
    onSuccess: () => toaster.create({ type: "success", title: t("photo.saved") }),
  });
  return (
    <ImageField
      label={t("photo.title")}
      shape="portrait"
      value={null}
      current={account.imagePath}
      error={error && `${t("photo.failed")} ${errorWords(error)}`}
      disabled={isPending}
      onChange={(file) => file && mutate(file)}
    />
  );
}
