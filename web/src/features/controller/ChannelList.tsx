import { Box, chakra, Flex, Stack, Text } from "@chakra-ui/react";
import { deviceTypeOf, fieldOf } from "@mulkko/shared/catalogue/registry";
import { countedQuality, shownTime } from "@mulkko/shared/live/value-age";
import { deviceName } from "@mulkko/shared/rules/device-name";
import { PlusIcon, TrashIcon, XIcon } from "lucide-react";
import { useTranslation } from "react-i18next";
import { Link } from "react-router-dom";
import { deleteChannel, removeChannelSensor } from "../../api/controllers.ts";
import { useReadOnly } from "../../api/hooks.ts";
import { Card } from "../../components/card.tsx";
import { IconButton, IconLink } from "../../components/icon-button.tsx";
import { toaster } from "../../components/toaster.tsx";
import { controllerEditPath, logPath } from "../../domain/farm/device-paths.ts";
import { DeletionQuestion, useDeletion } from "../../domain/form/deletion-question.tsx";
import { QualityMark } from "../../domain/reading/quality-mark.tsx";
import { readingNumber } from "../../domain/reading/reading.ts";
import { ReadingValue } from "../../domain/reading/reading-value.tsx";
import type { UnitChannel, ValveUnit } from "../../domain/valve/valve-units.ts";
import { useAge, useLive, useShownQuality } from "../../live/hooks.ts";

interface SensorOnChannel {
  readonly channel: UnitChannel;
  readonly id: string;
  readonly name: string;
}

/**
 * List all channels of a controller with their sensors, live. The user can remove each after a confirmation.
 */
export function ChannelList({ unit }: { unit: ValveUnit }) {
  const { t } = useTranslation(["controller", "common"]);
  const readOnly = useReadOnly();
  const deletion = useDeletion<UnitChannel>({
    remove: (rest, { id }, over) => deleteChannel(rest, id, over),
    removed: () => toaster.create({ type: "success", title: t("removed") }),
    failed: t("removeFailed"),
  });
  const removal = useDeletion<SensorOnChannel>({
    remove: (rest, { channel, id }) => removeChannelSensor(rest, channel.id, id),
    removed: () => toaster.create({ type: "success", title: t("takenOff") }),
    failed: t("takeOffFailed"),
  });
  // A COT sensor's channels are built in: they have no sensors and cannot be removed.
  if (unit.form !== "controller") return null;
  return (
    <>
      {unit.channels.map((channel) => (
        <Card
          key={channel.id}
          flush
          title={t("channelSensors", { number: channel.value.number })}
          aside={
            readOnly ? null : (
              <chakra.span display="inline-flex" margin="-0.5rem -0.5rem -0.5rem 0">
                <IconLink
                  to={controllerEditPath(unit.id, channel.value.number)}
                  label={t("addSensorTo", { number: channel.value.number })}
                  title={t("addSensor")}
                >
                  <PlusIcon />
                </IconLink>
                <IconButton
                  label={t("deleteChannel", { number: channel.value.number })}
                  onClick={() => deletion.ask(channel)}
                >
                  <TrashIcon />
                </IconButton>
              </chakra.span>
            )
          }
        >
          {channel.value.sensorIds.length === 0 ? (
            <Text px="card" pb="card" color="fg.muted">
              {t("noSensors")}
            </Text>
          ) : (
            <chakra.ul>
              {channel.value.sensorIds.map((id) => (
                <SensorLine
                  key={id}
                  id={id}
                  onRemove={(name) => removal.ask({ channel, id: `${id}`, name })}
                />
              ))}
            </chakra.ul>
          )}
        </Card>
      ))}
      <DeletionQuestion
        deletion={deletion}
        title={t("ask.channel", { number: deletion.thing?.value.number ?? 0 })}
      >
        <p>{t("ask.channelBody")}</p>
        <p role="status">{deletion.busy && t("common:openValve.closing")}</p>
      </DeletionQuestion>
      <DeletionQuestion
        deletion={removal}
        title={t("ask.sensor", {
          number: removal.thing?.channel.value.number ?? 0,
          name: removal.thing?.name ?? "",
        })}
        confirmLabel={t("remove")}
      >
        <p>{t("ask.sensorBody")}</p>
      </DeletionQuestion>
    </>
  );
}

function SensorLine({ id, onRemove }: { id: string | number; onRemove: (name: string) => void }) {
  const { t } = useTranslation("controller");
  const readOnly = useReadOnly();
  const value = useLive("sensor", id);
  const quality = useShownQuality(value ? countedQuality(value) : null);
  const ageMs = useAge(value ? shownTime(value) : null);
  // A sensor of another account, or a deleted one, is still assigned and can be removed.
  const name = value ? deviceName(value.info) : `${id}`;
  const type = value && deviceTypeOf(value.info.deviceType, value.reading ?? {});
  const field = type && fieldOf(type, type.primary);
  return (
    <Flex
      as="li"
      align="center"
      borderTopWidth="1px"
      pe="calc(var(--mk-spacing-card) - 0.5rem)"
      css={{ "&:first-child": { borderTopWidth: "0" } }}
    >
      <Box
        asChild
        display="flex"
        flex="1"
        flexWrap="wrap"
        alignItems="center"
        rowGap="0.5"
        columnGap="3"
        minW="0"
        minH="3.25rem"
        py="2"
        pr="1"
        pl="card"
        color="fg"
        _hover={{ bg: "bg.sunk" }}
      >
        <Link to={logPath(id)}>
          <Stack
            as="span"
            flex="1"
            minW="0"
            lineHeight="1.3"
            gap="0"
            css={{ "& small": { color: "fg.muted", fontSize: "caption" } }}
          >
            {name}
            {value && <small>{value.info.serial}</small>}
          </Stack>
          {value && field && (
            <ReadingValue
              value={readingNumber(value.reading, field.name)}
              field={field}
              quality={quality}
              size="body"
            />
          )}
          <QualityMark quality={quality} ageMs={ageMs} />
        </Link>
      </Box>
      {!readOnly && (
        <IconButton label={t("removeSensor", { name })} onClick={() => onRemove(name)}>
          <XIcon />
        </IconButton>
      )}
    </Flex>
  );
}
