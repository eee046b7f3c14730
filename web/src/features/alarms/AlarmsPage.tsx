import { Box } from "@chakra-ui/react";
import { useTranslation } from "react-i18next";
import { PageHeading } from "../../components/page-heading.tsx";
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
