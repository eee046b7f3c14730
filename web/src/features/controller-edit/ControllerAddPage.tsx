import { Button } from "@chakra-ui/react";
import type { DeviceKey } from "@mulkko/shared/rest/sensor";
import { useRef, useState } from "react";
import { useNavigate } from "react-router-dom";
import { DeviceKeyDialog } from "../../devices/DeviceKeyDialog.tsx";
import type { TriedDevice } from "../../devices/device-key-text.ts";
import { useTranslation } from "../../i18n/use-translation.ts";
import { addController } from "../../rest/controllers.ts";
import { useRest } from "../../rest/hooks.ts";
import { toaster } from "../../ui/feedback/toaster.tsx";
import { CancelButton } from "../../ui/form/cancel-button.tsx";
import { FormNotes } from "../../ui/form/form-notes.tsx";
import { LeaveGuard } from "../../ui/form/leave-guard.tsx";
import { Card } from "../../ui/layout/card.tsx";
import { PageHeading } from "../../ui/layout/page-heading.tsx";
import { ReturnLink } from "../../ui/layout/return-link.tsx";
import { ChannelsField } from "./ChannelsField.tsx";
import { ControllerFields } from "./ControllerFields.tsx";
import { channelFields } from "./channel-form.ts";
import { addBody, EMPTY_CONTROLLER, NATIVE, serialOf } from "./controller-form.ts";
import { useControllerForm } from "./use-controller-form.ts";
import "./controller-edit.css";

const NO_CHANNELS = channelFields([]);

const LIST = "/sensors/cot";

/** A new controller's key, once. */
interface NewKey {
  readonly made: DeviceKey;
  readonly serial: string;
  readonly device: TriedDevice | null;
}

/** Registers a controller (`/cotadd`). */
export function ControllerAddPage() {
  const { t } = useTranslation(["controller-edit", "common"]);
  const { client } = useRest();
  const navigate = useNavigate();
  const [newKey, setNewKey] = useState<NewKey | null>(null);
  /** Where it is seen once it is registered. */
  const path = useRef(LIST);
  const { form, offers, unfit, setChannels } = useControllerForm({
    initial: EMPTY_CONTROLLER,
    before: null,
    draft: "new controller",
    async submit(values) {
      const body = addBody(values, offers);
      const { id, key } = await addController(client, body);
      toaster.create({ type: "success", title: t("registered") });
      path.current = id === null ? LIST : `/sensors/cot/detail?cotId=${encodeURIComponent(id)}`;
      const channel = body.channels?.[0]?.channelNumber;
      // Valves of other makers speak their own topics, and a report of a channel that is not there is refused.
      const device: TriedDevice | null =
        values.driver === NATIVE && channel !== undefined ? { kind: "controller", channel } : null;
      if (key !== null) setNewKey({ made: key, serial: serialOf(values.serial), device });
    },
    saved() {
      if (newKey === null) void navigate(path.current);
    },
  });
  const notes = { ...form, failure: form.failure && `${t("notRegistered")} ${form.failure}` };
  return (
    <div className="controller-edit">
      <LeaveGuard when={form.changed && newKey === null} />
      <PageHeading lead={<ReturnLink otherwise="/addpage" />} title={t("addTitle")} />
      <Card>
        <form className="form" noValidate onSubmit={form.submit}>
          <ControllerFields form={form} offers={offers} />
          <ChannelsField
            fields={form.values}
            server={NO_CHANNELS}
            controllerType={form.values.type}
            controllerId={null}
            unfit={unfit}
            disabled={form.busy}
            onChange={setChannels}
          />
          <FormNotes form={notes} />
          <div className="form__actions">
            <CancelButton otherwise="/addpage" />
            <Button type="submit" size="lg" loading={form.busy} disabled={newKey !== null}>
              {t("register")}
            </Button>
          </div>
        </form>
      </Card>
      {newKey && <DeviceKeyDialog {...newKey} onClose={() => void navigate(path.current)} />}
    </div>
  );
}
