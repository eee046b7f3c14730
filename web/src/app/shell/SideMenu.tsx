import type { ReactNode } from "react";
import { Link } from "react-router-dom";
import { ColorModeSwitch } from "../../components/color-mode-switch.tsx";
import { LanguageSwitch } from "../../components/language-switch.tsx";
import { useTranslation } from "../../i18n/use-translation.ts";
import { useReadOnly } from "../../rest/hooks.ts";
import { LogoutIcon, MailIcon } from "../../ui/icon/icons.tsx";
import { useShellPanel } from "./shell-panel.ts";
import { useNavItems } from "./use-nav-items.tsx";
import "./side-menu.css";

/** Menu behind the last entry of a phone's navigation: other pages, contact, browser settings, logout. */
export function SideMenu({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation(["shell", "common"]);
  const { menu } = useNavItems();
  const { open } = useShellPanel();
  const readOnly = useReadOnly();
  return (
    <>
      <nav aria-label={t("nav.more")}>
        <ul className="side-menu">
          {menu.map(({ to, label, icon }) => (
            <li key={to}>
              <Link to={to} onClick={onClose}>
                {icon}
                {label}
              </Link>
            </li>
          ))}
          {!readOnly && (
            <li>
              <button type="button" aria-haspopup="dialog" onClick={() => open("contact")}>
                <MailIcon />
                {t("contact")}
              </button>
            </li>
          )}
          <li>
            <Link to="/logout" onClick={onClose}>
              <LogoutIcon />
              {t("logout")}
            </Link>
          </li>
        </ul>
      </nav>
      <div className="side-menu__choices">
        <Choice label={t("common:language.title")}>
          <LanguageSwitch />
        </Choice>
        <Choice label={t("common:colorMode.title")}>
          <ColorModeSwitch />
        </Choice>
      </div>
    </>
  );
}

function Choice({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div className="side-menu__choice">
      <span>{label}</span>
      {children}
    </div>
  );
}
