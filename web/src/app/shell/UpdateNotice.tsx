import { Button } from "@chakra-ui/react";
import { DownloadIcon } from "lucide-react";
import { useTranslation } from "react-i18next";
import { NoticeStrip } from "../../components/alerts.tsx";

export interface UpdateNoticeProps {
  /** True while a valve command is pending: the page stays until its result is known. */
  commanding: boolean;
  onLoad: () => void;
}

/** Report a waiting newer client and load it on request, without waiting for a quiet moment. */
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
