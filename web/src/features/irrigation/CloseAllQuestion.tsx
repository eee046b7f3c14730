import { Stack } from "@chakra-ui/react";
import { useTranslation } from "react-i18next";
import { thingTitle } from "../../domain/farm/use-names.ts";
import type { ClosingQuestion, QuestionedValve } from "./closing-question.ts";

/** Most valves that the question names; the others are counted. */
const NAMED = 8;

/** Name the valves that are open, that are not known, and that may open again: read before the second press. */
export function CloseAllQuestion({ question }: { question: ClosingQuestion }) {
  const { t } = useTranslation(["irrigation", "common"]);
  const names = (valves: readonly QuestionedValve[], withMode = false): string => {
    const named = valves.slice(0, NAMED).map((valve) => {
      const title = thingTitle(valve, (number) => t("common:valve.channel", { number }));
      return withMode ? `${title} (${t(`common:mode.${valve.mode}`)})` : title;
    });
    const rest = valves.length - named.length;
    return [...named, ...(rest > 0 ? [t("closeAll.others", { count: rest })] : [])].join(", ");
  };
  const { open, unknown, mayReopen, modeUnknown } = question;
  return (
    <Stack gap="2.5">
      <p>{open.length === 0 ? t("closeAll.noneOpen") : t("closeAll.open", { names: names(open) })}</p>
      {unknown.length > 0 && <p>{t("closeAll.unknown", { names: names(unknown) })}</p>}
      {mayReopen.length > 0 && <p>{t("closeAll.mayReopen", { names: names(mayReopen, true) })}</p>}
      {modeUnknown.length > 0 && <p>{t("closeAll.modeUnknown", { names: names(modeUnknown) })}</p>}
    </Stack>
  );
}
