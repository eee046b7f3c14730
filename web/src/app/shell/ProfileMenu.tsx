import { UserIcon } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { usePerson } from "../../api/hooks.ts";
import { LazyPopover } from "../../components/lazy-panels.tsx";
import { Photo } from "../../components/photo.tsx";
import "./profile-menu.css";

const loadChoices = () => import("./ProfileChoices.tsx").then(({ ProfileChoices }) => ProfileChoices);

/** Profile menu: the signed-in user, browser settings and logout. */
export function ProfileMenu() {
  const { t } = useTranslation("shell");
  const account = usePerson();
  const [open, setOpen] = useState(false);
  const name = account.nickname || account.username;
  return (
    <LazyPopover
      open={open}
      onOpenChange={setOpen}
      label={t("nav.account")}
      className="profile-menu"
      load={loadChoices}
      button={(props) => (
        <button type="button" {...props} className="profile" aria-label={`${t("nav.account")}: ${name}`}>
          <span className="profile__photo">
            <Photo path={account.imagePath} icon={<UserIcon size={20} />} />
          </span>
          <span className="profile__name">{name}</span>
        </button>
      )}
    />
  );
}
