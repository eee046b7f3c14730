import { Button, Grid, Stack } from "@chakra-ui/react";
import { LogOutIcon } from "lucide-react";
import { useTranslation } from "react-i18next";
import { useNavigate } from "react-router-dom";
import { Card } from "../../components/card.tsx";
import { ColorModeSwitch } from "../../components/color-mode-switch.tsx";
import { LanguageSwitch } from "../../components/language-switch.tsx";
import { LayoutCard } from "../../components/layout-card.tsx";
import { TextLink } from "../../components/text-link.tsx";
import { AdoptCard } from "./AdoptCard.tsx";
import { PasswordCard } from "./PasswordCard.tsx";
import { WatchCard } from "./WatchCard.tsx";

/** Settings besides the profile: care of the farm, displays, and this browser. */
export function AccountSettings() {
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
