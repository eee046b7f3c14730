import { Button } from "@chakra-ui/react";
import { useNavigate } from "react-router-dom";
import { useTranslation } from "../../i18n/use-translation.ts";
import { useWayBack } from "../layout/way-back.ts";

/** Gives a form up: back to where somebody came from. @param otherwise for who came from elsewhere */
export function CancelButton({ otherwise }: { otherwise: string }) {
  const { t } = useTranslation("common");
  const navigate = useNavigate();
  const back = useWayBack();
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
