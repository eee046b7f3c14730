import { Stack, Text } from "@chakra-ui/react";
import { useTranslation } from "react-i18next";
import { Card } from "../../components/card.tsx";
import { useTimeTexts } from "../time/use-time-texts.ts";

/** Warn that a device's clock is wrong (ORD-2): its times are those of their arrival. Nothing while it is right. */
export function ClockFault({ since }: { since: string | null | undefined }) {
  const { t } = useTranslation("common");
  const { dayTime } = useTimeTexts();
  if (since === null || since === undefined) return null;
  return (
    <Card title={t("clockFault.since", { time: dayTime(Date.parse(since)) })}>
      <Stack minW="0">
        <Text color="fg.muted">{t("clockFault.meaning")}</Text>
      </Stack>
    </Card>
  );
}
