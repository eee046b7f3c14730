import { Button } from "@chakra-ui/react";
import { CLOSE } from "@mulkko/shared/live/close-codes";
import { DownloadIcon } from "lucide-react";
import { useTranslation } from "react-i18next";
import { LinkBanner, NoticeStrip } from "../../components/alerts.tsx";
import { useTimeTexts } from "../../domain/time/use-time-texts.ts";
import { useLink, useServerNow } from "../../live/hooks.ts";
import { type LinkTrouble, linkTroubles } from "../../live/link.ts";

/** Without the broker alone the values are polled. */
const hasSentence = (trouble: LinkTrouble) => trouble !== "broker";

/** Show under the header why the page is not live. */
export function Notices() {
  const { t } = useTranslation(["common", "shell"]);
  const code = useLink(({ screen }) => (screen.state === "ended" ? screen.code : null));
  const trouble = useLink(
    ({ screen, relay, withheld }) =>
      linkTroubles({ screen: screen.state, relay, withheld }).find(hasSentence) ?? null,
  );
  const fault = useLink((link) => link.relay?.notStoring?.fault ?? null);
  const clockOff = useLink((link) => link.clockOff);
  const stored = fault === null ? undefined : t(`notStoring.${fault}`);

  switch (trouble) {
    case "ended":
      return (
        <LinkBanner
          title={t("link.notLive")}
          detail={code === CLOSE.unknownProtocol ? t("error.unknown-protocol") : t("shell:notice.ended")}
          action={
            <Button size="sm" variant="outline" colorPalette="gray" onClick={() => window.location.reload()}>
              {t("action.reload")}
            </Button>
          }
        />
      );
    case "screen":
      return <NotLive />;
    case "store":
      // The same disk may be the reason: it is one trouble.
      return <LinkBanner title={t("error.store-down")} detail={stored} />;
    case "upstream":
      return <LinkBanner title={t("link.upstreamDown")} detail={t("shell:notice.old")} />;
    case "storage":
      return <LinkBanner title={t("notStoring.title")} detail={stored} />;
    case null:
      return clockOff === null ? null : (
        <LinkBanner title={t("link.clockOff")} detail={t("shell:notice.clock")} />
      );
  }
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
