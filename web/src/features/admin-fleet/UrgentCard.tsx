import { chakra, Text } from "@chakra-ui/react";
import { useTranslation } from "react-i18next";
import { shallow } from "zustand/shallow";
import { Card, CardNote } from "../../components/card.tsx";
import { TextLink } from "../../components/text-link.tsx";
import { ALARMS_PATH } from "../../domain/alarm/present-alarms.ts";
import { CloseValves } from "../../domain/fleet/CloseValve.tsx";
import { FleetAlarmLine } from "../../domain/fleet/FleetAlarmLine.tsx";
import type { FleetStore } from "../../domain/fleet/fleet-store.ts";
import { useFleetSelection, useLoadingTexts, useUrgentAlarms } from "../../domain/fleet/hooks.ts";
import { knowsWatched, urgentCount } from "../../domain/fleet/urgent.ts";
import { useLinkQuality } from "../../live/hooks.ts";

const URGENT = ["alarm", "fleet"] as const;
/** Number of alarms on the first page; the alarms page has all of them. */
const LINES = 8;

const unwatchedIn = (store: FleetStore) => {
  const list = store.list();
  return knowsWatched(list) ? (list?.unwatched ?? null) : null;
};

/** Number of urgent alarms of all accounts; `known` is false while it is a lower bound. */
export const useUrgentCount = () => useFleetSelection(URGENT, urgentCount, shallow);

/** List the urgent alarms of all accounts, most urgent first: the first thing of an administrator (WARN-1). */
export function UrgentCard() {
  const { t } = useTranslation(["urgent", "morning"]);
  const alarms = useUrgentAlarms();
  const { p1, p2, known } = useUrgentCount();
  const unwatched = useFleetSelection(URGENT, unwatchedIn);
  const loading = useLoadingTexts();
  const isSure = useLinkQuality() === "fresh";
  const rest = Math.max(alarms.length, p1 + p2) - LINES;
  const none = !isSure
    ? t("morning:unsure")
    : (loading ?? (known ? (unwatched === 0 ? t("none") : t("noneWatched")) : t("unknown")));
  return (
    <CloseValves>
      <Card
        flush
        title={
          <>
            {t("title")}{" "}
            {alarms.length > 0 && (
              <Text as="span" color="fg.muted" fontWeight="medium">
                {Math.max(alarms.length, p1 + p2)}
              </Text>
            )}
          </>
        }
        aside={
          <TextLink look={{ textStyle: "label" }} to={ALARMS_PATH}>
            {t("all")}
          </TextLink>
        }
      >
        {alarms.length === 0 ? (
          <CardNote>{none}</CardNote>
        ) : (
          <>
            <chakra.ul css={{ "& > li": { borderTopWidth: "1px" } }} aria-label={t("title")}>
              {alarms.slice(0, LINES).map((alarm) => (
                <li key={`${alarm.account} ${alarm.id}`}>
                  <FleetAlarmLine alarm={alarm} />
                </li>
              ))}
            </chakra.ul>
            {rest > 0 && <CardNote>{t("rest", { count: rest })}</CardNote>}
            {(!known || unwatched !== 0) && <CardNote>{loading ?? t(known ? "partly" : "unknown")}</CardNote>}
          </>
        )}
      </Card>
    </CloseValves>
  );
}
