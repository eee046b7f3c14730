import { Button } from "@chakra-ui/react";
import { useTranslation } from "../../i18n/use-translation.ts";
import { NoticeStrip } from "../../ui/feedback/notice-strip.tsx";
import { DownloadIcon } from "../../ui/icon/icons.tsx";

export interface UpdateNoticeProps {
  /** A valve command is under way: the page stays until it is known how it ended. */
  commanding: boolean;
  onLoad: () => void;
}

/** Says that a newer client waits. Whoever does not want to wait for a quiet moment loads it here. */
export function UpdateNotice({ commanding, onLoad }: UpdateNoticeProps) {
  const { t } = useTranslation("shell");
  return (
    <NoticeStrip
      icon={<DownloadIcon />}
      title={t("update.title")}
      detail={commanding ? t("update.afterCommand") : t("update.byItself")}
      actions={
        <Button size="sm" variant="outline" disabled={commanding} onClick={onLoad}>
          {t("update.load")}
        </Button>
      }
    />
  );
}
