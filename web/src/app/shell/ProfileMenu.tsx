import { Popover, Portal } from "@chakra-ui/react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Link } from "react-router-dom";
import { useAccount } from "../../rest/hooks.ts";
import { ColorModeSwitch } from "../../ui/form/color-mode-switch.tsx";
import { LanguageSwitch } from "../../ui/form/language-switch.tsx";
import { AccountIcon, LogoutIcon } from "../../ui/icon/icons.tsx";
import "./profile-menu.css";

/** Who is signed in, with the choices of this browser and the way out. */
export function ProfileMenu() {
  const { t } = useTranslation(["shell", "common"]);
  const account = useAccount();
  const [open, setOpen] = useState(false);
  const name = account.nickname || account.username;
  return (
    <Popover.Root
      open={open}
      onOpenChange={({ open: opens }) => setOpen(opens)}
      positioning={{ placement: "bottom-end" }}
      lazyMount
      unmountOnExit
    >
      <Popover.Trigger asChild>
        <button type="button" className="profile" aria-label={`${t("nav.account")}: ${name}`}>
          <span className="profile__photo">
            {account.imagePath ? <img src={account.imagePath} alt="" /> : <AccountIcon size={20} />}
          </span>
          <span className="profile__name">{name}</span>
        </button>
      </Popover.Trigger>
      <Portal>
        <Popover.Positioner>
          <Popover.Content className="profile-menu" aria-label={t("nav.account")}>
            <Link className="profile-menu__who" to="/account" onClick={() => setOpen(false)}>
              <strong>{name}</strong>
              <span>{account.farmAddress || account.username}</span>
            </Link>
            <div className="profile-menu__choice">
              <span>{t("common:language.title")}</span>
              <LanguageSwitch />
            </div>
            <div className="profile-menu__choice">
              <span>{t("common:colorMode.title")}</span>
              <ColorModeSwitch />
            </div>
            <Link className="profile-menu__out" to="/logout">
              <LogoutIcon />
              {t("logout")}
            </Link>
          </Popover.Content>
        </Popover.Positioner>
      </Portal>
    </Popover.Root>
  );
}
