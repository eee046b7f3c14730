import { Button, Grid, Stack } from "@chakra-ui/react";
import { useMutation } from "@tanstack/react-query";
import { LogOutIcon } from "lucide-react";
import { useTranslation } from "react-i18next";
import { useNavigate } from "react-router-dom";
import { updateAccountImage } from "../../api/account.ts";
import { useAccount, useRest } from "../../api/hooks.ts";
import { Card } from "../../components/card.tsx";
import { ColorModeSwitch } from "../../components/color-mode-switch.tsx";
import { ImageField } from "../../components/image-field.tsx";
import { LanguageSwitch } from "../../components/language-switch.tsx";
import { LayoutCard } from "../../components/layout-card.tsx";
import { PageHeading } from "../../components/page-heading.tsx";
import { TextLink } from "../../components/text-link.tsx";
import { toaster } from "../../components/toaster.tsx";
import { useErrorWords } from "../../components/use-error-words.ts";
import { AdoptCard } from "./AdoptCard.tsx";
import { PasswordCard } from "./PasswordCard.tsx";
import { ProfileForm } from "./ProfileForm.tsx";
import { SessionsCard } from "./SessionsCard.tsx";
import { WatchCard } from "./WatchCard.tsx";

/** Account page: profile, sessions, care of the farm during absence, and display settings of this browser. */
export function AccountPage() {
  const { t } = useTranslation(["account", "common", "shell"]);
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
        <Settings />
      </Grid>
    </Stack>
  );
}

/** Settings besides the profile: care of the farm, displays, and this browser. */
function Settings() {
  const { t } = useTranslation(["account", "common", "shell"]);
  const navigate = useNavigate();
  return (
    <Grid alignContent="start" gap="4" minW="0">
      <PasswordCard />
      <WatchCard />
      <AdoptCard />
      <Card title={t("displays.title")}>
        <Grid gap="6" justifyItems="start">
          <p>{t("displays.text")}</p>
          <TextLink to="/displays">{t("displays.open")}</TextLink>
        </Grid>
      </Card>
      <Card title={t("screen")}>
        <Stack gap="2" align="start" css={{ "& > span": { color: "fg.muted", fontSize: "label" } }}>
          <span>{t("common:language.title")}</span>
          <LanguageSwitch />
          <span>{t("common:colorMode.title")}</span>
          <ColorModeSwitch />
        </Stack>
      </Card>
      <LayoutCard />
      <Button variant="outline" size="lg" onClick={() => void navigate("/logout")}>
        <LogOutIcon />
        {t("shell:logout")}
      </Button>
    </Grid>
  );
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
