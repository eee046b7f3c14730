import { Button } from "@chakra-ui/react";
import { useState } from "react";
import { Link, useNavigate } from "react-router-dom";
import { ColorModeSwitch } from "../../components/color-mode-switch.tsx";
import { LanguageSwitch } from "../../components/language-switch.tsx";
import { useTranslation } from "../../i18n/use-translation.ts";
import { useAccount } from "../../rest/hooks.ts";
import { LogoutIcon } from "../../ui/icon/icons.tsx";
import { Card } from "../../ui/layout/card.tsx";
import { LayoutCard } from "../../ui/layout/layout-card.tsx";
import { PageHeading } from "../../ui/layout/page-heading.tsx";
import { AdoptCard } from "./AdoptCard.tsx";
import { PasswordCard } from "./PasswordCard.tsx";
import { PhotoField } from "./PhotoField.tsx";
import { ProfileForm } from "./ProfileForm.tsx";
import { SessionsCard } from "./SessionsCard.tsx";
import { WatchCard } from "./WatchCard.tsx";
import "./account.css";

/** Account page: profile, sessions, care of the farm during absence, and display settings of this browser. */
export function AccountPage() {
  const { t } = useTranslation(["account", "common", "shell"]);
  const account = useAccount();
  const [changes, setChanges] = useState(0);
  return (
    <div className="account">
      <PageHeading title={t("title")} note={`${t("username")} ${account.username}`} />
      <div className="account__columns">
        <div className="account__column">
          <Card>
            <div className="account__stack">
              <PhotoField />
              <ProfileForm />
            </div>
          </Card>
          <SessionsCard changes={changes} />
        </div>
        <Settings onPasswordChanged={() => setChanges((count) => count + 1)} />
      </div>
    </div>
  );
}

/** Settings besides the profile: care of the farm, displays, and this browser. */
function Settings({ onPasswordChanged }: { onPasswordChanged: () => void }) {
  const { t } = useTranslation(["account", "common", "shell"]);
  const navigate = useNavigate();
  return (
    <div className="account__column">
      <PasswordCard onChanged={onPasswordChanged} />
      <WatchCard />
      <AdoptCard />
      <Card title={t("displays.title")}>
        <div className="account__stack">
          <p>{t("displays.text")}</p>
          <Link className="account__link" to="/displays">
            {t("displays.open")}
          </Link>
        </div>
      </Card>
      <Card title={t("screen")}>
        <div className="account__choices">
          <span>{t("common:language.title")}</span>
          <LanguageSwitch />
          <span>{t("common:colorMode.title")}</span>
          <ColorModeSwitch />
        </div>
      </Card>
      <LayoutCard />
      <Button variant="outline" size="lg" onClick={() => void navigate("/logout")}>
        <LogoutIcon />
        {t("shell:logout")}
      </Button>
    </div>
  );
}
