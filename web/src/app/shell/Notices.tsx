import { Button } from "@chakra-ui/react";
import { CLOSE } from "@mulkko/shared/live/close-codes";
import { DownloadIcon } from "lucide-react";
import { useTranslation } from "react-i18next";
import { LinkBanner, NoticeStrip } from "../../components/alerts.tsx";
import { useTimeTexts } from "../../domain/time/use-time-texts.ts";
import { useLink, useServerNow } from "../../live/hooks.ts";

/** Show under the header why the page is not live. */
export function Notices() {
  const { t } = useTranslation(["common", "shell"]);
  const screen = useLink((link) => link.screen);
  const upstream = useLink((link) => link.relay?.upstream ?? "up");
  const store = useLink((link) => link.relay?.store ?? "embedded");
  const withheld = useLink((link) => link.withheld);
  const notStoring = useLink((link) => link.relay?.notStoring?.fault ?? null);
  const clockOff = useLink((link) => link.clockOff);

  if (screen.state === "ended") {
    const outdated = screen.code === CLOSE.unknownProtocol;
    return (
      <LinkBanner
        title={t("link.notLive")}
        detail={outdated ? t("error.unknown-protocol") : t("shell:notice.ended")}
        action={
          <Button size="sm" variant="outline" colorPalette="gray" onClick={() => window.location.reload()}>
            {t("action.reload")}
          </Button>
        }
      />
    );
  }
  if (screen.state === "notLive" && withheld === null) return <NotLive />;
  if (store === "down" || withheld === "store-down") return <LinkBanner title={t("error.store-down")} />;
  if (upstream === "down" || withheld === "upstream-down")
    return <LinkBanner title={t("link.upstreamDown")} detail={t("shell:notice.old")} />;
  if (notStoring !== null) {
    return <LinkBanner title={t("notStoring.title")} detail={t(`notStoring.${notStoring}`)} />;
  }
  if (clockOff !== null) return <LinkBanner title={t("link.clockOff")} detail={t("shell:notice.clock")} />;
  return null;
}

/** Show the time since which the page is not live: that of its values. */
function NotLive() {
  const { t } = useTranslation("common");
  const texts = useTimeTexts();
  const now = useServerNow();
  const silence = useLink((link) => link.silentSince);
  const detail =
    silence === null
      ? t("link.reconnecting")
      : `${t("link.asOf", { time: texts.exactTime(Math.min(silence, now())) })} ${t("link.reconnecting")}`;
  return <LinkBanner title={t("link.notLive")} detail={detail} />;
}

interface UpdateNoticeProps {
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
