import { useEffect } from "react";
import { useTranslation } from "../../i18n/use-translation.ts";
import { NoticeStrip } from "../../ui/feedback/notice-strip.tsx";
import { CloseIcon, ShareIcon } from "../../ui/icon/icons.tsx";
import { IconButton } from "../../ui/layout/icon-button.tsx";
import { INSTALL_HINT_KEY } from "./install-hint.ts";

/** How the page gets onto the home screen of Apple's phones. Shown on one visit, until it is put away. */
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
          <CloseIcon />
        </IconButton>
      }
    />
  );
}
