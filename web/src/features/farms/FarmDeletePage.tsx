import { Box, Button, chakra, Stack, Text } from "@chakra-ui/react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { deleteFarm } from "../../api/farms.ts";
import { Card } from "../../components/card.tsx";
import { PageHeading, ReturnLink } from "../../components/page-heading.tsx";
import { toaster } from "../../components/toaster.tsx";
import { UntilKnown } from "../../domain/farm/UntilKnown.tsx";
import { DeletionQuestion, useDeletion } from "../../domain/form/deletion-question.tsx";
import { FormPageEmpty, FormPageLoading } from "../../domain/form/form-page.tsx";
import { type KnownFarm, useKnownFarms } from "./FarmFields.tsx";

/** Delete one farm after a confirmation; its devices stay. */
export function FarmDeletePage() {
  const { t } = useTranslation(["farms", "common"]);
  const farms = useKnownFarms();
  const [chosen, setChosen] = useState<string | null>(null);
  const farm = farms.find(({ id }) => id === chosen);
  const deletion = useDeletion<KnownFarm>({
    remove: (rest, { id }) => deleteFarm(rest, id),
    removed() {
      toaster.create({ type: "success", title: t("remove.done") });
      setChosen(null);
    },
    failed: t("remove.failed"),
  });
  if (farms.length === 0) {
    return (
      <UntilKnown loading={<FormPageLoading />}>
        <FormPageEmpty title={t("remove.none")} to="/irrigation" toList={t("edit.toList")} />
      </UntilKnown>
    );
  }
  const kept = deletion.thing?.sensorIds.length ?? 0;
  return (
    <Box maxW="40rem">
      <PageHeading
        lead={<ReturnLink otherwise="/irrigation" />}
        title={t("remove.title")}
        note={t("remove.choose")}
      />
      <Card flush>
        <chakra.fieldset borderWidth="0">
          <legend className="visually-hidden">{t("remove.choose")}</legend>
          {farms.map(({ id, name, description, sensorIds }) => (
            <chakra.label
              key={id}
              display="flex"
              alignItems="center"
              gap="3.5"
              minH="3.75rem"
              py="2"
              px="card"
              cursor="pointer"
              css={{
                "& + &": { borderTopWidth: "1px" },
                "&:has(input:checked)": { bg: "bg.sunk" },
                "& input": { flex: "none", w: "1.375rem", h: "1.375rem" },
              }}
              data-testid="farm-choice"
            >
              <input
                type="radio"
                name="farm"
                value={id}
                checked={id === chosen}
                onChange={() => setChosen(id)}
              />
              <Stack as="span" minW="0" gap="0">
                <Text as="span" fontWeight="650">
                  {name}
                </Text>
                <Text as="span" color="fg.muted" fontSize="caption">
                  {[t("remove.sensors", { count: sensorIds.length }), description]
                    .filter(Boolean)
                    .join(" · ")}
                </Text>
              </Stack>
            </chakra.label>
          ))}
        </chakra.fieldset>
      </Card>
      <Button
        size="lg"
        colorPalette="red"
        mt="4"
        w={{ mdDown: "full" }}
        disabled={farm === undefined}
        onClick={() => farm && deletion.ask(farm)}
      >
        {t("common:action.delete")}
      </Button>
      <DeletionQuestion deletion={deletion} title={t("remove.ask", { name: deletion.thing?.name ?? "" })}>
        <p>{kept > 0 ? t("remove.keeps", { count: kept }) : t("remove.keepsNone")}</p>
      </DeletionQuestion>
    </Box>
  );
}
