import { Button, Flex } from "@chakra-ui/react";
import { PlusIcon } from "lucide-react";
import { useTranslation } from "react-i18next";
import { controllerEditPath } from "../../domain/farm/device-paths.ts";
import type { ValveUnit } from "../../domain/valve/valve-units.ts";
import { OwnLink } from "../../domain/view-as/OwnLink.tsx";
import { useKnowledge } from "../../live/hooks.ts";

/** Explain that a controller has no channels, and link to the form that adds the first one. */
export function NoChannels({ unit }: { unit: ValveUnit }) {
  const { t } = useTranslation("controller");
  const { known } = useKnowledge();
  return (
    <Flex
      wrap="wrap"
      align="center"
      rowGap="3"
      columnGap="4"
      py="4"
      px="card"
      color="fg.muted"
      css={{ "article > &": { pt: "0" } }}
    >
      <p>{t(known ? "noChannels" : "channelsUnknown")}</p>
      {known && unit.form === "controller" && (
        <Button asChild variant="outline" size="sm">
          <OwnLink
            to={controllerEditPath(unit.id, 1)}
            aria-label={t("addFirstChannelTo", { name: unit.name })}
          >
            <PlusIcon />
            {t("addFirstChannel")}
          </OwnLink>
        </Button>
      )}
    </Flex>
  );
}
