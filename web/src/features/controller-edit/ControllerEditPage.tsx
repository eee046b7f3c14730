import { Button, Stack } from "@chakra-ui/react";
import type { ControllerInfo } from "@mulkko/shared/entities/controller";
import { deviceName } from "@mulkko/shared/rules/device-name";
import { useEffect, useEffectEvent, useMemo, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { Navigate, useLocation, useNavigate, useSearchParams } from "react-router-dom";
import {
  deleteController,
  removeChannelSensor,
  updateController,
  updateControllerImage,
} from "../../api/controllers.ts";
import { useErrorTexts } from "../../api/error-texts.ts";
import { useExtension } from "../../api/extensions.ts";
import { useRest } from "../../api/hooks.ts";
import { changedFields } from "../../api/http.ts";
import { useLastAnswer } from "../../api/queries.tsx";
import { changeChannelSettings } from "../../api/settings.ts";
import { ErrorNote } from "../../components/alerts.tsx";
import { Card } from "../../components/card.tsx";
import { ImageField } from "../../components/image-field.tsx";
import { deleteAction, OverflowMenu } from "../../components/menu.tsx";
import { PageHeading, ReturnLink } from "../../components/page-heading.tsx";
import { Skeleton } from "../../components/skeleton.tsx";
import { toaster } from "../../components/toaster.tsx";
import { panelPath } from "../../domain/farm/device-paths.ts";
import { UntilKnown } from "../../domain/farm/UntilKnown.tsx";
import { DeletionQuestion, useDeletion } from "../../domain/form/deletion-question.tsx";
import { CancelButton, Form, FormActions } from "../../domain/form/form.tsx";
import { FormPageEmpty } from "../../domain/form/form-page.tsx";
import { LeaveGuard } from "../../domain/form/leave-guard.tsx";
import { FormFailure } from "../../domain/form/refusal.ts";
import { useFirstSync, useLive, useLiveSelection } from "../../live/hooks.ts";
import { ChannelsField } from "./ChannelsField.tsx";
import { ControllerFields } from "./ControllerFields.tsx";
import {
  CHANNEL_NUMBERS,
  type ChannelNumber,
  changeBody,
  changedNames,
  controllerValues,
  editedChannels,
  fieldOfChannel,
  isFull,
  type ServerChannel,
} from "./controller-form.ts";
import { useControllerForm } from "./use-controller-form.ts";

const CHANNELS = ["channel"] as const;

/** Return a controller's channels with their sensors, kept up to date. */
function useServerChannels(controllerId: string): readonly ServerChannel[] {
  return useLiveSelection(
    CHANNELS,
    ({ channels }) =>
      [...channels]
        .filter(([, { controllerId: owner }]) => `${owner}` === controllerId)
        .map(([id, { number, name = null, sensorIds }]) => ({
          id,
          number,
          name,
          sensorIds: sensorIds.map(String),
        }))
        .sort((a, b) => a.number - b.number),
    (a, b) => JSON.stringify(a) === JSON.stringify(b),
  );
}

/**
 * Edit a controller (`/controller/edit?cotId=`); `add` opens the sensor dialog of that channel or selects a
 * new one, `name` goes to the name of its valve.
 */
export function ControllerEditPage() {
  const { t } = useTranslation(["controller-edit", "common"]);
  const [params] = useSearchParams();
  const id = params.get("cotId") ?? "";
  const value = useLive("controller", id);
  // A controller that is deleted during editing stays readable.
  const controller = useLastAnswer(value ?? null);
  const channels = useServerChannels(id);
  if (id === "") return <Navigate to="/sensors/cot" replace />;
  if (controller) {
    return (
      <Editor key={id} id={id} info={controller.info} isDeleted={value === undefined} channels={channels} />
    );
  }
  const loading = (
    <Stack gap="4" maxW="52rem" aria-hidden>
      <Skeleton width="14rem" height="2.25rem" />
      <Skeleton height="30rem" />
    </Stack>
  );
  return (
    <UntilKnown loading={loading}>
      <FormPageEmpty title={t("gone")} to="/sensors/cot" toList={t("toList")} />
    </UntilKnown>
  );
}

interface EditorProps {
  id: string;
  info: ControllerInfo;
  /** True if it is deleted, here or by another user. */
  isDeleted: boolean;
  channels: readonly ServerChannel[];
}

interface SensorOnChannel {
  readonly number: ChannelNumber;
  readonly id: string;
  readonly name: string;
}

function Editor({ id, info, isDeleted, channels }: EditorProps) {
  const { t } = useTranslation(["controller-edit", "common"]);
  const errorTexts = useErrorTexts();
  const { client } = useRest();
  const navigate = useNavigate();
  const location = useLocation();
  const [params] = useSearchParams();
  const hasPicture = useExtension("controller-image");
  const [leaving, setLeaving] = useState(false);
  const detail = panelPath(id);
  const before = useMemo(() => controllerValues(info, channels), [info, channels]);

  const control = useControllerForm({
    before,
    draft: `controller ${id}`,
    version: info.version,
    failed: t("notSaved"),
    async submit(values) {
      const body = changeBody(values, before, control.offers);
      const { name, serial } = body;
      // An API without versions gets every field, as the base contract requires.
      const sent = info.version
        ? { name, serial, ...changedFields(body, changeBody(before, before, control.offers)) }
        : body;
      await updateController(client, id, sent, info.version);
      for (const { channel, name } of changedNames(channels, before, values)) {
        try {
          await changeChannelSettings(client, channel.id, { name });
        } catch (error) {
          throw new FormFailure(`${t("nameFailed", { number: channel.number })} ${errorTexts(error)}`);
        }
      }
      if (values.image) {
        try {
          await updateControllerImage(client, id, values.image);
        } catch (error) {
          throw new FormFailure(t("pictureFailed"), { image: errorTexts(error) });
        }
      }
      toaster.create({ type: "success", title: t("registered") });
    },
    saved() {
      // Go back to the previous page; an address that was opened directly has none.
      if (location.key === "default") void navigate(detail, { replace: true });
      else void navigate(-1);
    },
  });
  const { form } = control;
  useEffect(() => {
    if (leaving) void navigate("/sensors");
  }, [leaving, navigate]);

  const deletion = useDeletion<string>({
    remove: deleteController,
    removed() {
      toaster.create({ type: "success", title: t("deleted") });
      setLeaving(true);
    },
    failed: t("deleteFailed"),
  });
  const gone = deletion.goneElsewhere(isDeleted);
  const removal = useDeletion<SensorOnChannel>({
    async remove(rest, { number, id: sensorId }) {
      const channel = channels.find((each) => each.number === number);
      if (channel) await removeChannelSensor(rest, channel.id, sensorId);
    },
    removed({ number, id: sensorId }) {
      const field = fieldOfChannel(number);
      form.set(field, form.values[field]?.filter((each) => each !== sensorId) ?? []);
    },
    failed: t("takeOffFailed"),
  });
  const known = useFirstSync() === "done";
  const asked = CHANNEL_NUMBERS.find((number) => `${number}` === params.get("add"));
  const named = CHANNEL_NUMBERS.find((number) => `${number}` === params.get("name"));
  const stored = asked && before[fieldOfChannel(asked)];
  const isMissing = stored === null;
  const mayAdd = stored && !isFull(stored);
  const chosen = useRef(false);
  const preselect = useEffectEvent((number: ChannelNumber) => form.set(fieldOfChannel(number), []));
  // Preselect a new channel once; later the user decides.
  useEffect(() => {
    if (!known || chosen.current || asked === undefined) return;
    chosen.current = true;
    if (isMissing) preselect(asked);
  }, [known, asked, isMissing]);
  return (
    <Stack gap="4" maxW="52rem">
      <LeaveGuard when={form.changed && !leaving && !gone} />
      <PageHeading
        lead={<ReturnLink otherwise={detail} />}
        title={t("editTitle")}
        note={deviceName(info)}
        actions={
          gone ? null : (
            <OverflowMenu
              label={t("more")}
              actions={[deleteAction(t("common:action.delete"), () => deletion.ask(id))]}
            />
          )
        }
      />
      {gone && <ErrorNote>{t("goneMeanwhile")}</ErrorNote>}
      <Card>
        <Form
          form={form}
          disabled={gone}
          labels={{
            name: t("field.name"),
            serial: t("common:field.serial"),
            description: t("field.description"),
            type: t("field.type"),
            driver: t("field.driver"),
            address: t("field.address"),
          }}
          actions={
            <FormActions>
              <CancelButton otherwise={detail} />
              <Button type="submit" size="lg" loading={form.busy} disabled={gone}>
                {t("common:action.save")}
              </Button>
            </FormActions>
          }
        >
          {hasPicture && (
            <ImageField
              label={t("field.picture")}
              value={form.values.image}
              current={info.imagePath}
              error={form.error("image")}
              disabled={form.busy || gone}
              onChange={(image) => form.set("image", image)}
            />
          )}
          <ControllerFields form={form} offers={control.offers} onType={(type) => form.set("type", type)} />
          <ChannelsField
            control={control}
            server={before}
            controllerId={id}
            offered={editedChannels(form.values, before)}
            adding={mayAdd ? asked : null}
            first={isMissing && known}
            naming={known && named && before[fieldOfChannel(named)] !== null ? named : null}
            onTakeOff={(number, sensor, name) => removal.ask({ number, id: sensor, name })}
          />
        </Form>
      </Card>
      <DeletionQuestion deletion={deletion} title={t("ask.controller", { name: deviceName(info) })}>
        <p>{t("ask.controllerBody")}</p>
        <p role="status">{deletion.busy && t("common:openValve.closing")}</p>
      </DeletionQuestion>
      <DeletionQuestion
        deletion={removal}
        title={t("ask.sensor", { name: removal.thing?.name ?? "", number: removal.thing?.number ?? 0 })}
        confirmLabel={t("channels.takeOff")}
      >
        <p>{t("ask.sensorBody")}</p>
      </DeletionQuestion>
    </Stack>
  );
}
