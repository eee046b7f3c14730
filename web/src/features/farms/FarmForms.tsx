import { Box, Button, Stack } from "@chakra-ui/react";
import { useTranslation } from "react-i18next";
import { Navigate, useNavigate, useSearchParams } from "react-router-dom";
import { useExtension } from "../../api/extensions.ts";
import { addFarm, hasFarm, updateFarm } from "../../api/farms.ts";
import { useRest } from "../../api/hooks.ts";
import { changedFields } from "../../api/http.ts";
import { useLastAnswer } from "../../api/queries.tsx";
import { ErrorNote } from "../../components/alerts.tsx";
import { Card } from "../../components/card.tsx";
import { PageHeading, ReturnLink } from "../../components/page-heading.tsx";
import { toaster } from "../../components/toaster.tsx";
import { UntilKnown } from "../../domain/farm/UntilKnown.tsx";
import { CancelButton, Form, FormActions } from "../../domain/form/form.tsx";
import { FormPageEmpty, FormPageLoading } from "../../domain/form/form-page.tsx";
import { LeaveGuard } from "../../domain/form/leave-guard.tsx";
import { useForm } from "../../domain/form/use-form.ts";
import { FarmFields, type FarmValues, farmFaults, type KnownFarm, useKnownFarms } from "./FarmFields.tsx";
import { SensorPicker } from "./SensorPicker.tsx";

interface NewFarmValues extends FarmValues {
  readonly sensors: readonly string[];
}

const EMPTY: NewFarmValues = { name: "", description: "", sensors: [] };

/** Create a farm from a name and sensors. */
export function FarmAddPage() {
  const { t } = useTranslation(["farms", "common"]);
  const { client } = useRest();
  const navigate = useNavigate();
  const farms = useKnownFarms();
  const isIdempotent = useExtension("idempotent-create");
  const form = useForm<NewFarmValues>({
    values: EMPTY,
    rules: (values) => farmFaults(values, farms, null, t),
    conflictField: "name",
    conflictTexts: t("nameTaken"),
    failed: t("add.failed"),
    draft: "farm-add",
    creates: { isIdempotent, exists: ({ name }) => hasFarm(client, name.trim()) },
    async submit({ name, description, sensors }, key) {
      await addFarm(client, { name: name.trim(), description: description.trim(), sensors }, key);
      toaster.create({ type: "success", title: t("add.done") });
    },
    saved: () => void navigate("/dashboard"),
  });
  return (
    <Box maxW="64rem">
      <PageHeading lead={<ReturnLink otherwise="/irrigation" />} title={t("add.title")} />
      <Form form={form} gap="4" actions={<Actions send={t("add.submit")} busy={form.busy} />}>
        <Card>
          <Stack gap="4" maxW="36rem">
            <FarmFields form={form} farms={farms} own={null} described />
          </Stack>
        </Card>
        <Card title={t("add.sensors")}>
          <SensorPicker selected={form.values.sensors} onSelect={(sensors) => form.set("sensors", sensors)} />
        </Card>
      </Form>
      <LeaveGuard when={form.changed} />
    </Box>
  );
}

/** Rename a farm; `farm` is in the address, otherwise the user selects one from a list. */
export function FarmNamePage() {
  const { t } = useTranslation("farms");
  const [params] = useSearchParams();
  const id = params.get("farm");
  const farms = useKnownFarms();
  const farm = farms.find((each) => each.id === id);
  // A farm that is deleted during editing stays readable.
  const known = useLastAnswer(farm ?? null);
  if (id === null) return <Navigate to="/irrigation" replace />;
  if (known?.id === id) return <FarmNameForm key={id} farm={known} gone={farm === undefined} />;
  return (
    <UntilKnown loading={<FormPageLoading />}>
      <FormPageEmpty title={t("edit.gone")} to="/irrigation" toList={t("edit.toList")} />
    </UntilKnown>
  );
}

interface FarmNameFormProps {
  farm: KnownFarm;
  gone: boolean;
}

function FarmNameForm({ farm, gone }: FarmNameFormProps) {
  const { t } = useTranslation(["farms", "common"]);
  const { client } = useRest();
  const navigate = useNavigate();
  const farms = useKnownFarms();
  const { id, name, description, version } = farm;
  const described = useExtension("farm-description");
  const form = useForm({
    values: { name, description },
    rules: (values) => farmFaults(values, farms, id, t),
    conflictField: "name",
    conflictTexts: t("nameTaken"),
    failed: t("edit.failed"),
    draft: `farm-name ${id}`,
    version,
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
          actions={<Actions send={t("common:action.save")} busy={form.busy} disabled={gone} />}
        >
          {gone && <ErrorNote>{t("edit.goneMeanwhile")}</ErrorNote>}
          <FarmFields form={form} farms={farms} own={id} described={described} />
        </Form>
      </Card>
      <LeaveGuard when={form.changed && !gone} />
    </Box>
  );
}

/** Cancel and send a farm's form. */
function Actions({ send, busy, disabled = false }: { send: string; busy: boolean; disabled?: boolean }) {
  return (
    <FormActions justify="start" mt="4">
      <CancelButton otherwise="/irrigation" />
      <Button type="submit" size="lg" loading={busy} disabled={disabled}>
        {send}
      </Button>
    </FormActions>
  );
}
