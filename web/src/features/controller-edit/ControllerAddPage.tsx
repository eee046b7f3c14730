import { Button, Stack } from "@chakra-ui/react";
import type { ControllerUpdateBody } from "@mulkko/shared/rest/controller";
import { controllerList } from "@mulkko/shared/rest/operations/controllers";
import type { DeviceKey } from "@mulkko/shared/rest/sensor";
import { useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { useNavigate } from "react-router-dom";
import { addController, updateController } from "../../api/controllers.ts";
import { useErrorTexts } from "../../api/error-texts.ts";
import { useExtension } from "../../api/extensions.ts";
import { useRest } from "../../api/hooks.ts";
import { hasSerial } from "../../api/sensors.ts";
import { Card } from "../../components/card.tsx";
import { PageHeading, ReturnLink } from "../../components/page-heading.tsx";
import { toaster } from "../../components/toaster.tsx";
import { DeviceKeyDialog } from "../../domain/device/DeviceKeyDialog.tsx";
import type { TriedDevice } from "../../domain/device/device-key-text.ts";
import { panelPath } from "../../domain/farm/device-paths.ts";
import { CancelButton, Form, FormActions } from "../../domain/form/form.tsx";
import { LeaveGuard } from "../../domain/form/leave-guard.tsx";
import { ChannelsField } from "./ChannelsField.tsx";
import { ControllerFields } from "./ControllerFields.tsx";
import {
  addBody,
  CHANNEL_NUMBERS,
  channelsOfType,
  fieldOfChannel,
  lateChannelsBody,
  NATIVE,
  NO_CHANNELS,
  offeredChannels,
  serialOf,
} from "./controller-form.ts";
import { useControllerForm } from "./use-controller-form.ts";

const LIST = "/sensors/cot";

/** Key of a new controller, shown once. */
interface NewKey {
  readonly made: DeviceKey;
  readonly serial: string;
  readonly device: TriedDevice | null;
}

/** Register a controller (`/cotadd`). */
export function ControllerAddPage() {
  const { t } = useTranslation(["controller-edit", "common"]);
  const { client } = useRest();
  const isIdempotent = useExtension("idempotent-create");
  const navigate = useNavigate();
  const errorTexts = useErrorTexts();
  const [newKey, setNewKey] = useState<NewKey | null>(null);
  /** Page shown after the registration. */
  const path = useRef(LIST);
  /** Add the channels of a new controller in a separate call; the controller stays if it fails. */
  const addLate = async (id: string | null, body: ControllerUpdateBody): Promise<boolean> => {
    let reason = "";
    if (id !== null) {
      try {
        await updateController(client, id, body);
        return true;
      } catch (error) {
        reason = errorTexts(error);
      }
    }
    toaster.create({ type: "error", title: `${t("channelsNotAdded")} ${reason}`.trim() });
    return false;
  };
  const control = useControllerForm({
    before: null,
    draft: "new controller",
    failed: t("notRegistered"),
    creates: {
      isIdempotent,
      exists: ({ serial }) => hasSerial(client, controllerList, `${serialOf(serial)}`),
    },
    async submit(values, once) {
      const body = addBody(values, control.offers);
      const { id, key } = await addController(client, body, once);
      toaster.create({ type: "success", title: t("registered") });
      path.current = id === null ? LIST : panelPath(id);
      const late = lateChannelsBody(values, body);
      const channels = late !== null && (await addLate(id, late)) ? late.channels : body.channels;
      const channel = channels?.[0]?.channelNumber;
      // Other drivers have their own topics, and the API refuses reports of channels that do not exist.
      const device: TriedDevice | null =
        values.driver === NATIVE && channel !== undefined ? { kind: "controller", channel } : null;
      if (key !== null) setNewKey({ made: key, serial: serialOf(values.serial), device });
    },
    saved() {
      if (newKey === null) void navigate(path.current);
    },
  });
  const { form } = control;
  return (
    <Stack gap="4" maxW="52rem">
      <LeaveGuard when={form.changed && newKey === null} />
      <PageHeading lead={<ReturnLink otherwise="/addpage" />} title={t("addTitle")} />
      <Card>
        <Form
          form={form}
          actions={
            <FormActions>
              <CancelButton otherwise="/addpage" />
              <Button type="submit" size="lg" loading={form.busy} disabled={newKey !== null}>
                {t("register")}
              </Button>
            </FormActions>
          }
        >
          <ControllerFields
            form={form}
            offers={control.offers}
            onType={(type) => {
              form.set("type", type);
              const channels = channelsOfType(form.values, type);
              for (const number of CHANNEL_NUMBERS) {
                form.set(fieldOfChannel(number), channels[fieldOfChannel(number)]);
              }
            }}
          />
          <ChannelsField
            control={control}
            server={NO_CHANNELS}
            controllerId={null}
            offered={offeredChannels(form.values.type)}
          />
        </Form>
      </Card>
      {newKey && <DeviceKeyDialog {...newKey} onClose={() => void navigate(path.current)} />}
    </Stack>
  );
}
