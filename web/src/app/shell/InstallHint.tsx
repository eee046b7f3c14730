import { ShareIcon, XIcon } from "lucide-react";
import { useEffect } from "react";
import { useTranslation } from "react-i18next";
import { NoticeStrip } from "../../components/alerts.tsx";
import { IconButton } from "../../components/icon-button.tsx";
import { INSTALL_HINT_KEY } from "./install-hint.ts";

/** Explain how to add the page to the home screen of an Apple device. Shown on one visit, until dismissed. */
export function InstallHint({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation(["shell", "common"]);
  useEffect(() => localStorage.setItem(INSTALL_HINT_KEY, "shown"), []);
  return (
    <NoticeStrip
      icon={<ShareIcon />}
      title={t("install.title")}
      detail={t("install.how")}
      actions={
        <IconButton label={t("common:action.close")} onClick={onClose}>
          <XIcon />
        </IconButton>
      }
    />
  );
}
