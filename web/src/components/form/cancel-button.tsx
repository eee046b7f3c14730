import { Button } from "@chakra-ui/react";
import { useTranslation } from "react-i18next";
import { useNavigate } from "react-router-dom";
import { useBackNavigation } from "../back-navigation.ts";

/**
 * Discard a form and go back to the previous page. @param otherwise address for a user who came from
 * elsewhere
 */
export function CancelButton({ otherwise }: { otherwise: string }) {
  const { t } = useTranslation("common");
  const navigate = useNavigate();
  const back = useBackNavigation();
  return (
    <Button
      type="button"
      variant="outline"
      size="lg"
      onClick={() => void (back === null ? navigate(otherwise) : navigate(-1))}
    >
      {t("action.cancel")}
    </Button>
  );
}
