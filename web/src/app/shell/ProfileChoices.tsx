import { LogOutIcon, MonitorIcon, ShieldCheckIcon } from "lucide-react";
import { useTranslation } from "react-i18next";
import { Link } from "react-router-dom";
import { usePerson } from "../../api/hooks.ts";
import { ColorModeSwitch } from "../../components/color-mode-switch.tsx";
import { LanguageSwitch } from "../../components/language-switch.tsx";
import { OwnLink } from "../../domain/view-as/OwnLink.tsx";
import { ADMIN_PATH } from "../view-as/view-as-address.ts";

/** Contents of the profile menu: account, browser settings, logout. */
export function ProfileChoices({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation(["shell", "common"]);
  const account = usePerson();
  return (
    <>
      <OwnLink className="profile-menu__who" to="/account" onClick={onClose}>
        <strong>{account.nickname || account.username}</strong>
        <span>{account.farmAddress || account.username}</span>
      </OwnLink>
      <div className="profile-menu__choice">
        <span>{t("common:language.title")}</span>
        <LanguageSwitch />
      </div>
      <div className="profile-menu__choice">
        <span>{t("common:colorMode.title")}</span>
        <ColorModeSwitch />
      </div>
      <OwnLink className="profile-menu__out" to="/displays" onClick={onClose}>
        <MonitorIcon />
        {t("nav.displays")}
      </OwnLink>
      {account.userType === "ADMIN" && (
        <Link className="profile-menu__out" to={ADMIN_PATH} onClick={onClose}>
          <ShieldCheckIcon />
          {t("nav.admin")}
        </Link>
      )}
      <Link className="profile-menu__out" to="/logout">
        <LogOutIcon />
        {t("logout")}
      </Link>
    </>
  );
}
