import { Box } from "@chakra-ui/react";
import { PageHeading } from "../components/page-heading.tsx";
import { useTranslation } from "../i18n/use-translation.ts";
import { AlarmBoard } from "./AlarmBoard.tsx";

/** `/alarms`: present alarms with their actions, and past alarms. */
export function AlarmsPage() {
  const { t } = useTranslation("alarms");
  return (
    <Box maxW="52rem">
      <PageHeading title={t("title")} note={t("note")} />
      <AlarmBoard />
    </Box>
  );
}
