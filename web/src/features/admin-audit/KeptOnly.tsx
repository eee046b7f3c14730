import { Text } from "@chakra-ui/react";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { useApiZone, useExtension } from "../../api/extensions.ts";
import { Skeleton } from "../../components/skeleton.tsx";

/** Render content that only some farm APIs store, or a notice that this one does not. */
export function KeptOnly({ children }: { children: ReactNode }) {
  const { t } = useTranslation("admin-audit");
  const isSupported = useExtension("audit");
  const isKnown = useApiZone() !== null;
  if (isSupported) return children;
  return isKnown ? (
    <Text py="8" px="0" color="fg.muted" textAlign="center" data-testid="none-found">
      {t("notKept")}
    </Text>
  ) : (
    <Skeleton height="24rem" />
  );
}
