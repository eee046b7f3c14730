import { Link } from "react-router-dom";
import { AlarmLine } from "../../alarms/AlarmLine.tsx";
import { ALARMS_PATH } from "../../alarms/present-alarms.ts";
import { usePresentAlarms } from "../../alarms/use-present-alarms.ts";
import { Card } from "../../components/card.tsx";
import { useTranslation } from "../../i18n/use-translation.ts";

/** Most alarms here; all of them are one press away. */
const MOST = 3;

/** The worst of what is wrong; nothing where nothing is. */
export function AlarmsCard() {
  const { t } = useTranslation("dashboard");
  const alarms = usePresentAlarms();
  if (alarms.length === 0) return null;
  const more = alarms.length - MOST;
  return (
    <Card
      title={t("alarms")}
      flush
      aside={
        <Link className="dashboard__all" to={ALARMS_PATH}>
          {t("all")}
        </Link>
      }
    >
      <ul className="dashboard__alarms" aria-label={t("alarms")}>
        {alarms.slice(0, MOST).map((alarm) => (
          <li key={alarm.id}>
            <AlarmLine alarm={alarm} compact />
          </li>
        ))}
      </ul>
      {more > 0 && <p className="dashboard__none">{t("alarmsMore", { count: more })}</p>}
    </Card>
  );
}
