import { Box, Button } from "@chakra-ui/react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Navigate, useNavigate, useSearchParams } from "react-router-dom";
import { useExtension } from "../../api/extensions.ts";
import { updateFarm } from "../../api/farms.ts";
import { useRest } from "../../api/hooks.ts";
import { changedFields } from "../../api/http.ts";
import { ErrorNote } from "../../components/alerts.tsx";
import { Card } from "../../components/card.tsx";
import { CancelButton, Form, FormActions } from "../../components/form/form.tsx";
import { FormPageEmpty, FormPageLoading } from "../../components/form/form-page.tsx";
import { LeaveGuard } from "../../components/form/leave-guard.tsx";
import { useForm } from "../../components/form/use-form.ts";
import { PageHeading, ReturnLink } from "../../components/page-heading.tsx";
import { toaster } from "../../components/toaster.tsx";
import { UntilKnown } from "../../domain/farm/UntilKnown.tsx";
import { FarmFields, farmFaults, type KnownFarm, useKnownFarms } from "./FarmFields.tsx";

/** Rename a farm; `farm` is in the address, otherwise the user selects one from a list. */
export function FarmNamePage() {
  const { t } = useTranslation("farms");
  const [params] = useSearchParams();
  const id = params.get("farm");
  const farms = useKnownFarms();
  const farm = farms.find((each) => each.id === id);
  // A farm that is deleted during editing stays readable.
  const [last, setLast] = useState(farm);
  if (farm && farm !== last) setLast(farm);
  if (id === null) return <Navigate to="/irrigation" replace />;
  const known = farm ?? (last?.id === id ? last : undefined);
  if (known) return <FarmNameForm key={id} farm={known} farms={farms} gone={farm === undefined} />;
  return (
    <UntilKnown loading={<FormPageLoading />}>
      <FormPageEmpty title={t("edit.gone")} to="/irrigation" toList={t("edit.toList")} />
    </UntilKnown>
  );
}

interface FarmNameFormProps {
  farm: KnownFarm;
  farms: readonly KnownFarm[];
  gone: boolean;
}

function FarmNameForm({ farm, farms, gone }: FarmNameFormProps) {
  const { t } = useTranslation(["farms", "common"]);
  const { client } = useRest();
  const navigate = useNavigate();
  const { id, name, description, version } = farm;
  const described = useExtension("farm-description");
  const form = useForm({
    values: { name, description },
    rules: (values) => farmFaults(values, farms, id, t),
    conflictField: "name",
    conflictWords: t("nameTaken"),
    failed: t("edit.failed"),
    draft: `farm-name ${id}`,
    async submit(values) {
      const whole = {
        name: values.name.trim(),
        ...(described && { description: values.description.trim() }),
      };
      // An API without versions gets every field, as the base contract requires.
      const sent =
        version === null ? whole : { name: whole.name, ...changedFields(whole, { name, description }) };
      await updateFarm(client, id, sent, version);
      toaster.create({ type: "success", title: t("edit.saved") });
    },
    saved: () => void navigate("/irrigation"),
  });
  return (
    <Box maxW="40rem">
      <PageHeading lead={<ReturnLink otherwise="/irrigation" />} title={t("edit.title")} note={name} />
      <Card>
        <Form
          form={form}
          labels={{ name: t("name"), description: t("description") }}
          disabled={gone}
          gap="4"
          maxW="36rem"
          actions={
            <FormActions justify="start" mt="4">
              <CancelButton otherwise="/irrigation" />
              <Button type="submit" size="lg" loading={form.busy} disabled={gone}>
                {t("common:action.save")}
              </Button>
            </FormActions>
          }
        >
          {gone && <ErrorNote>{t("edit.goneMeanwhile")}</ErrorNote>}
          <FarmFields form={form} farms={farms} own={id} described={described} />
        </Form>
      </Card>
      <LeaveGuard when={form.changed && !gone} />
    </Box>
  );
}
