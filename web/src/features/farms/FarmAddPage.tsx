import { Box, Button, Stack } from "@chakra-ui/react";
import { useTranslation } from "react-i18next";
import { useNavigate } from "react-router-dom";
import { addFarm } from "../../api/farms.ts";
import { useRest } from "../../api/hooks.ts";
import { Card } from "../../components/card.tsx";
import { CancelButton, Form, FormActions } from "../../components/form/form.tsx";
import { LeaveGuard } from "../../components/form/leave-guard.tsx";
import { useForm } from "../../components/form/use-form.ts";
import { PageHeading, ReturnLink } from "../../components/page-heading.tsx";
import { toaster } from "../../components/toaster.tsx";
import { FarmFields, type FarmValues, farmFaults, useKnownFarms } from "./FarmFields.tsx";
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
  const form = useForm<NewFarmValues>({
    values: EMPTY,
    rules: (values) => farmFaults(values, farms, null, t),
    conflictField: "name",
    conflictWords: t("nameTaken"),
    failed: t("add.failed"),
    draft: "farm-add",
    async submit({ name, description, sensors }) {
      await addFarm(client, { name: name.trim(), description: description.trim(), sensors });
      toaster.create({ type: "success", title: t("add.done") });
    },
    saved: () => void navigate("/dashboard"),
  });
  return (
    <Box maxW="64rem">
      <PageHeading lead={<ReturnLink otherwise="/irrigation" />} title={t("add.title")} />
      <Form
        form={form}
        gap="4"
        actions={
          <FormActions justify="start" mt="4">
            <CancelButton otherwise="/irrigation" />
            <Button type="submit" size="lg" loading={form.busy}>
              {t("add.submit")}
            </Button>
          </FormActions>
        }
      >
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
