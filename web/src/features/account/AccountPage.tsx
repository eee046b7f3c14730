import { Button } from "@chakra-ui/react";
import { useTranslation } from "react-i18next";
import { useNavigate } from "react-router-dom";
import { DEFAULT_ZONE } from "../../farm/use-time-words.ts";
import { useAccount } from "../../rest/hooks.ts";
import { ColorModeSwitch } from "../../ui/form/color-mode-switch.tsx";
import { LanguageSwitch } from "../../ui/form/language-switch.tsx";
import { LogoutIcon } from "../../ui/icon/icons.tsx";
import { Card } from "../../ui/layout/card.tsx";
import { PageHeading } from "../../ui/layout/page-heading.tsx";
import { WatchCard } from "./WatchCard.tsx";
import "./account.css";

/** Who is signed in, and how this browser shows the product. */
export function AccountPage() {
  const { t } = useTranslation(["account", "common", "shell"]);
  const navigate = useNavigate();
  const account = useAccount();
  const rows = [
    [t("nickname"), account.nickname],
    [t("username"), account.username],
    [t("phone"), account.phone],
    [t("email"), account.userAddress],
    [t("farm"), account.farmAddress],
    [t("timezone"), account.timezone || DEFAULT_ZONE],
  ] as const;
  return (
    <div className="account">
      <PageHeading title={t("title")} />
      <Card>
        <dl className="account__rows">
          {rows.map(([label, value]) => (
            <div key={label}>
              <dt>{label}</dt>
              <dd>{value || "--"}</dd>
            </div>
          ))}
        </dl>
      </Card>
      <WatchCard />
      <Card title={t("screen")}>
        <div className="account__choices">
          <span>{t("common:language.title")}</span>
          <LanguageSwitch />
          <span>{t("common:colorMode.title")}</span>
          <ColorModeSwitch />
        </div>
      </Card>
      <Button variant="outline" size="lg" onClick={() => void navigate("/logout")}>
        <LogoutIcon />
        {t("shell:logout")}
      </Button>
    </div>
  );
}
