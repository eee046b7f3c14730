import { useTranslation } from "react-i18next";
import { useFleetAsking, useFleetLoading } from "./hooks.ts";

/** Say how much of the fleet is loaded; null once all of it is. */
export function useLoadingWords(): string | null {
  const { t } = useTranslation("common");
  const loading = useFleetLoading();
  if (loading === null) return null;
  const { loaded, total } = loading;
  return total === null || total < loaded
    ? t("partial.some", { count: loaded })
    : t("partial.of", { loaded, count: total });
}

/** Say how many devices were asked how they are; null unless they are asked one by one and some are left. */
export function useAskingWords(): string | null {
  const { t } = useTranslation("common");
  const asking = useFleetAsking();
  return asking === null ? null : t("partial.asked", { answered: asking.answered, count: asking.of });
}
