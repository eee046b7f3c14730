import { Button } from "@chakra-ui/react";
import { useTranslation } from "react-i18next";

/** Let the user delete a device or channel whose valve is not reported closed, and name the risk (CMD-15). */
export function DespiteOpenValve({ onDelete }: { onDelete: () => void }) {
  const { t } = useTranslation("common");
  return (
    <>
      <p>{t("openValve.risk")}</p>
      <Button variant="outline" colorPalette="red" onClick={onDelete}>
        {t("openValve.delete")}
      </Button>
    </>
  );
}
