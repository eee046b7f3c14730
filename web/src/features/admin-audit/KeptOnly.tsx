import type { ReactNode } from "react";
import { useTranslation } from "../../i18n/use-translation.ts";
import { useApiZone, useExtension } from "../../rest/extensions.ts";
import { Skeleton } from "../../ui/feedback/skeleton.tsx";

/** Shows what only some farm APIs keep; of the others it says that they do not. */
export function KeptOnly({ children }: { children: ReactNode }) {
  const { t } = useTranslation("admin-audit");
  const kept = useExtension("audit");
  const isKnown = useApiZone() !== null;
  if (kept) return children;
  return isKnown ? <p className="admin-list__none">{t("notKept")}</p> : <Skeleton height="24rem" />;
}
