import { chakra, Stack } from "@chakra-ui/react";
import { LogOutIcon, MailIcon } from "lucide-react";
import { type ReactNode, useContext } from "react";
import { useTranslation } from "react-i18next";
import { Link, NavLink } from "react-router-dom";
import { useReadOnly } from "../../api/hooks.ts";
import { ColorModeSwitch } from "../../components/color-mode-switch.tsx";
import { LanguageSwitch } from "../../components/language-switch.tsx";
import { OpenShellPanel } from "./shell-panel.ts";
import { useNavItems } from "./use-nav-items.tsx";

/** Menu behind the last entry of a phone's navigation: other pages, contact, browser settings, logout. */
export function SideMenu({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation(["shell", "common"]);
  const { menu } = useNavItems();
  const open = useContext(OpenShellPanel);
  const readOnly = useReadOnly();
  return (
    <>
      <nav aria-label={t("nav.more")}>
        <chakra.ul
          css={{
            "& :is(a, button)": {
              display: "flex",
              alignItems: "center",
              gap: "3.5",
              w: "full",
              minH: "14",
              py: "0",
              px: "4",
              borderBottomWidth: "1px",
              color: "fg",
              fontWeight: "medium",
              textAlign: "start",
              cursor: "pointer",
            },
            "& :is(a, button):hover": { bg: "bg.sunk" },
            '& a[aria-current="page"]': { bg: "bg.sunk", fontWeight: "bold" },
            "& :is(a, button):focus-visible": { outlineOffset: "-4px" },
          }}
        >
          {menu.map(({ to, label, icon }) => (
            <li key={to}>
              <NavLink to={to} onClick={onClose}>
                {icon}
                {label}
              </NavLink>
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
              <LogOutIcon />
              {t("logout")}
            </Link>
          </li>
        </chakra.ul>
      </nav>
      <Stack gap="4" p="4">
        <Choice label={t("common:language.title")}>
          <LanguageSwitch />
        </Choice>
        <Choice label={t("common:colorMode.title")}>
          <ColorModeSwitch />
        </Choice>
      </Stack>
    </>
  );
}

function Choice({ label, children }: { label: string; children: ReactNode }) {
  return (
    <Stack gap="0.4rem" align="start" css={{ "& > span": { color: "fg.muted", fontSize: "label" } }}>
      <span>{label}</span>
      {children}
    </Stack>
  );
}
