import { ClockIcon } from "lucide-react";
import { useTranslation } from "react-i18next";
import { useTimeWords } from "../../domain/time/use-time-words.ts";
import { useLink, useShownQuality } from "../../live/hooks.ts";

/** Show the time of the board's numbers while the links deliver nothing new (ONL-2). */
export function AsOf() {
  const { t } = useTranslation("common");
  const { exactTime } = useTimeWords();
  const away = useShownQuality("fresh") !== "fresh";
  const silentSince = useLink((link) => link.silentSince);
  const heardAt = useLink((link) => link.relay?.heardAt ?? link.relay?.since ?? null);
  const since = silentSince ?? (heardAt === null ? null : Date.parse(heardAt));
  if (!away || since === null) return null;
  return (
    <p className="fleet-as-of">
      <ClockIcon size={16} />
      {t("link.asOf", { time: exactTime(since) })}
    </p>
  );
}
