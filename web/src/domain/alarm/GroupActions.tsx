import { Button } from "@chakra-ui/react";
import type { Alarm } from "@mulkko/shared/live/alarm";
import { type ReactNode, useState } from "react";
import { useTranslation } from "react-i18next";
import { AcknowledgeAll } from "./AcknowledgeAll.tsx";
import { ActionRow, AlarmDesk } from "./alarm-desk.tsx";

export interface GroupActionsProps {
  alarms: readonly Alarm[];
  /** Render one alarm. */
  lineOf: (alarm: Alarm) => ReactNode;
}

/** List the alarms of one cause in a flood, with one button that acknowledges all of them. */
export function GroupActions({ alarms, lineOf }: GroupActionsProps) {
  const { t } = useTranslation("alarms");
  const [open, setOpen] = useState(false);
  return (
    <AlarmDesk>
      <ActionRow>
        <AcknowledgeAll alarms={alarms} />
        <Button size="sm" variant="outline" aria-expanded={open} onClick={() => setOpen(!open)}>
          {t(open ? "fold" : "unfold")}
        </Button>
      </ActionRow>
      {open && (
        <ul className="alarm-list alarm-list--inner">
          {alarms.map((alarm) => (
            <li key={alarm.id}>{lineOf(alarm)}</li>
          ))}
        </ul>
      )}
    </AlarmDesk>
  );
}
