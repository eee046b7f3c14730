import type { ReactNode } from "react";
import { useApiZone, useExtension } from "../../api/extensions.ts";
import { useTranslation } from "../../i18n/use-translation.ts";
import { Skeleton } from "../../ui/feedback/skeleton.tsx";

/** Render content that only some farm APIs store, or a notice that this one does not. */
export function KeptOnly({ children }: { children: ReactNode }) {
  const { t } = useTranslation("admin-audit");
  const isSupported = useExtension("audit");
  const isKnown = useApiZone() !== null;
  if (isSupported) return children;
  return isKnown ? (
    <p className="admin-list__none" data-testid="none-found">
      {t("notKept")}
    </p>
  ) : (
    <Skeleton height="24rem" />
  );
}
