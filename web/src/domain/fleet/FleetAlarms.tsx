import { Text } from "@chakra-ui/react";
import { DEFAULT_PAGE_SIZE } from "@mulkko/shared/rest/paging";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { shallow } from "zustand/shallow";
import { ErrorNote } from "../../components/alerts.tsx";
import { Pager } from "../../components/table.tsx";
import { pageCount } from "../../components/table-model.ts";
import { useLabels } from "../../i18n/labels.ts";
import { useLinkQuality } from "../../live/hooks.ts";
import { AlarmList } from "../alarm/AlarmLine.tsx";
import { CloseValves } from "./CloseValve.tsx";
import { FleetAlarmLine } from "./FleetAlarmLine.tsx";
import type { FleetStore } from "./fleet-store.ts";
import { useFleet, useFleetSelection, useFleetStatus, useLoadingTexts } from "./hooks.ts";
import { fleetAlarms } from "./urgent.ts";

const ALARMS = ["alarm", "fleet"] as const;

const alarmsIn = (store: FleetStore) => fleetAlarms(store.all("alarm").values());
const listIn = (store: FleetStore) => store.list();

/** List the alarms of all accounts, most urgent first, in pages (WARN-1). */
export function FleetAlarms() {
  const { t } = useTranslation(["urgent", "fleet", "morning"]);
  const labels = useLabels();
  useFleet();
  const status = useFleetStatus();
  const alarms = useFleetSelection(ALARMS, alarmsIn, shallow);
  const list = useFleetSelection(ALARMS, listIn);
  const loading = useLoadingTexts();
  const isSure = useLinkQuality() === "fresh";
  const [asked, setAsked] = useState(1);
  if (status.state === "refused")
    return (
      <ErrorNote>
        {t("fleet:refused")}. {labels.error(status.code)}
      </ErrorNote>
    );
  const pages = Math.max(1, pageCount(alarms.length, DEFAULT_PAGE_SIZE));
  const page = Math.min(asked, pages);
  const { urgent, unwatched, leftOff = 0 } = list ?? {};
  const isRead = Boolean(urgent) && loading === null;
  const none = !isSure
    ? t("morning:unsure")
    : (loading ?? (isRead ? t(unwatched === 0 ? "none" : "noneWatched") : t("unknown")));
  return (
    <CloseValves>
      <Text color="fg.muted">{t("note")}</Text>
      {alarms.length === 0 ? (
        <Text role="status">{none}</Text>
      ) : (
        <>
          <AlarmList>
            {alarms.slice((page - 1) * DEFAULT_PAGE_SIZE, page * DEFAULT_PAGE_SIZE).map((alarm) => (
              <li key={`${alarm.account} ${alarm.id}`}>
                <FleetAlarmLine alarm={alarm} />
              </li>
            ))}
          </AlarmList>
          {pages > 1 && <Pager page={page} pages={pages} onPage={setAsked} />}
          {leftOff > 0 && <Text color="fg.muted">{t("rest", { count: leftOff })}</Text>}
          {(!isRead || unwatched !== 0) && (
            <Text color="fg.muted">{loading ?? t(isRead ? "partly" : "unknown")}</Text>
          )}
        </>
      )}
    </CloseValves>
  );
}
