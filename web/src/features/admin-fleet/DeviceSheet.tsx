import { Button, chakra, Flex, Grid, Stack, Text } from "@chakra-ui/react";
import { MISSING } from "@mulkko/shared/rules/format";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Link } from "react-router-dom";
import { fetchUser } from "../../api/admin-users.ts";
import { useExtension } from "../../api/extensions.ts";
import { useRestQuery } from "../../api/queries.tsx";
import { Sheet } from "../../components/drawer.tsx";
import { logPath, panelPath } from "../../domain/farm/device-paths.ts";
import { CloseValves } from "../../domain/fleet/CloseValve.tsx";
import { isController } from "../../domain/fleet/device-state.ts";
import { accountOf, UNSAID } from "../../domain/fleet/filter.ts";
import { HeartbeatBar } from "../../domain/fleet/HeartbeatBar.tsx";
import {
  batteryTexts,
  type ShownDevice,
  signalTexts,
  useFleetTexts,
  useShownDevice,
} from "../../domain/fleet/hooks.ts";
import { PhoneLink } from "../../domain/fleet/PhoneLink.tsx";
import { StateShape } from "../../domain/fleet/StateMark.tsx";
import { useTimeTexts } from "../../domain/time/use-time-texts.ts";
import { ReadAsButton } from "../../domain/view-as/ReadAsButton.tsx";
import { useLabels } from "../../i18n/labels.ts";
import { useAge } from "../../live/hooks.ts";
import { DeviceAlarms } from "./DeviceAlarms.tsx";
import { OwnerValves } from "./OwnerValves.tsx";

const e = encodeURIComponent;

/** Show all details of one device beside the board. */
export function DeviceSheet({ deviceKey, onClose }: { deviceKey: string; onClose: () => void }) {
  const shown = useShownDevice(deviceKey);
  if (!shown) return null;
  return (
    <Sheet title={shown.name} place="end" onClose={onClose}>
      <CloseValves>
        <DeviceFacts deviceKey={deviceKey} shown={shown} />
      </CloseValves>
    </Sheet>
  );
}

function DeviceFacts({ deviceKey, shown }: { deviceKey: string; shown: ShownDevice }) {
  const { t } = useTranslation(["fleet", "common"]);
  const labels = useLabels();
  const { dayTime } = useTimeTexts();
  const { beats } = useFleetTexts();
  const { device, name, state, alarm, needs } = shown;
  const { kind, deviceType, serial, username, battery, rssi, fwversion, heardAt, at, since, flip } = device;
  const isLogged = useExtension("audit");
  const ageMs = useAge(heardAt);
  const when = (instant: string | null) => (instant === null ? MISSING : dayTime(Date.parse(instant)));
  const owner = accountOf(device);
  const lastReport = ageMs === null ? when(heardAt) : `${when(heardAt)} (${labels.age(ageMs)})`;
  const change = flip?.online ? (flip.last === null ? "flip.first" : "flip.back") : "flip.went";
  const flipped = flip === null ? MISSING : `${when(flip.at)} · ${t(change)}`;
  const facts: readonly (readonly [string, string, boolean?])[] = [
    [t("column.owner"), username ?? MISSING],
    [t("column.kind"), t(`kind.${kind}`)],
    [t("facet.type"), deviceType === null ? MISSING : labels.deviceType(deviceType)],
    [t("common:field.serial"), serial === null ? MISSING : `${serial}`],
    [t("common:field.battery"), batteryTexts(battery), needs.includes("battery")],
    [t("common:field.rssi"), signalTexts(rssi), needs.includes("signal")],
    [t("common:field.fwversion"), fwversion ?? MISSING],
    [t("column.received"), lastReport],
    ...(at ? [[t("common:field.createdDate"), when(at)] as const] : []),
    [t("column.since"), when(since)],
    [t("column.flip"), flipped],
  ];
  return (
    <Stack gap="4" p="4">
      <Flex as="p" align="center" gap="2" fontWeight="semibold">
        <StateShape state={state} alarm={alarm} />
        {t(`state.${state}`)}
      </Flex>
      {owner !== UNSAID && <DeviceAlarms account={owner} deviceId={device.id} />}
      {owner !== UNSAID && isController(device) && (
        <Valves account={{ id: owner, name: username ?? owner }} deviceId={`${device.id}`} />
      )}
      <Grid
        as="figure"
        gap="1"
        css={{
          "& .heartbeat": { h: "8" },
          "& figcaption": {
            display: "flex",
            justifyContent: "space-between",
            color: "fg.muted",
            fontSize: "caption",
          },
        }}
      >
        <HeartbeatBar deviceKey={deviceKey} texts={beats} />
        <figcaption>
          <span>{t("heartbeat.from")}</span>
          <span>{t("heartbeat.to")}</span>
        </figcaption>
      </Grid>
      <chakra.dl
        css={{
          "& > div": {
            display: "flex",
            justifyContent: "space-between",
            gap: "4",
            py: "2",
            borderTopWidth: "1px",
          },
          "& dt": { flex: "none", color: "fg.muted" },
          "& dd": { overflowWrap: "anywhere", textAlign: "end" },
          "& [data-low] dd": { color: "alarm.p3.fg", fontWeight: "bold" },
        }}
      >
        {facts.map(([label, value, low]) => (
          <div key={label} data-low={low || undefined}>
            <dt>{label}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </chakra.dl>
      {owner !== UNSAID && <OwnerContact id={owner} />}
      {owner !== UNSAID && (
        <ReadAsButton
          account={{ id: owner, name: username ?? owner }}
          to={isController(device) ? panelPath(device.id) : logPath(device.id)}
        />
      )}
      <Stack
        gap="0"
        css={{
          "& a": {
            display: "flex",
            alignItems: "center",
            minH: "12",
            fontWeight: "medium",
            textDecoration: "underline",
            textUnderlineOffset: "0.2em",
          },
        }}
      >
        {kind === "sensor" && <Link to={`/adminpage/sensor?id=${e(device.id)}`}>{t("open.sensor")}</Link>}
        {isController(device) && isLogged && (
          <Link to={`/adminpage/audit?show=commands&q=${e(name)}`}>{t("open.commands")}</Link>
        )}
        {owner !== UNSAID && (
          <>
            <Link to={`/adminpage/user?id=${e(owner)}`}>{t("open.user")}</Link>
            <Link to={`/adminpage/status?account=${e(owner)}`}>{t("open.account")}</Link>
          </>
        )}
      </Stack>
    </Stack>
  );
}

/** Button that reads the device's valves: reading another account is audited (HS-2), so it needs a press. */
function Valves(props: { account: { id: string; name: string }; deviceId: string }) {
  const { t } = useTranslation("urgent");
  const [shown, setShown] = useState(false);
  if (shown) return <OwnerValves {...props} />;
  return (
    <Button variant="outline" onClick={() => setShown(true)}>
      {t("valves.show")}
    </Button>
  );
}

/** The owner's name and telephone number, to call; nothing if the farm API does not tell them. */
function OwnerContact({ id }: { id: string }) {
  const { t } = useTranslation("fleet");
  const { data: user } = useRestQuery(["user", id, "contact"], (rest, signal) => fetchUser(rest, id, signal));
  const name = user?.nickname?.trim();
  const phone = user?.phone?.trim();
  if (!name && !phone) return null;
  return (
    <Text data-testid="owner-contact">
      {t("contact")}: {name}
      {name && phone && " · "}
      {phone && <PhoneLink name={name ?? phone} phone={phone} />}
    </Text>
  );
}
