import { Flex, Text } from "@chakra-ui/react";
import { useCallback, useState } from "react";
import { useTranslation } from "react-i18next";
import { shallow } from "zustand/shallow";
import { useRest } from "../../api/hooks.ts";
import { liveTokens } from "../../api/live-tokens.ts";
import { CloseValve } from "../../domain/fleet/CloseValve.tsx";
import { useLastReport } from "../../domain/valve/last-report.ts";
import { ValveSymbol } from "../../domain/valve/valve-symbol.tsx";
import { valveTexts } from "../../domain/valve/valve-texts.ts";
import { channelName } from "../../domain/valve/valve-title.ts";
import { valveView } from "../../domain/valve/valve-view.ts";
import { useLabels } from "../../i18n/labels.ts";
import {
  type LiveFarm,
  LiveProvider,
  useDrawnQuality,
  useFirstSync,
  useLink,
  useLive,
  useLiveSelection,
} from "../../live/hooks.ts";

interface OwnerValvesProps {
  /** The owner of the device. */
  readonly account: { readonly id: string; readonly name: string };
  /** Id of the controller, or of the COT sensor. */
  readonly deviceId: string;
}

/**
 * Show the valves of one device of any account, live and read only but for their close (HS-2, WARN-6), over a
 * connection of their own.
 */
export function OwnerValves(props: OwnerValvesProps) {
  const { session } = useRest();
  const [tokens] = useState(() => liveTokens(session));
  return (
    <LiveProvider tokens={tokens} as={props.account.id}>
      <ValveList {...props} />
    </LiveProvider>
  );
}

const CHANNELS = ["channel"] as const;

/** List the valves of a device with their states, and a close for each that is not known to be closed. */
export function ValveList({ account, deviceId }: OwnerValvesProps) {
  const { t } = useTranslation("urgent");
  const ids = useLiveSelection(
    CHANNELS,
    useCallback(
      ({ channels }: LiveFarm) =>
        [...channels]
          .filter(([, { controllerId }]) => `${controllerId}` === deviceId)
          .sort(([, a], [, b]) => a.number - b.number)
          .map(([id]) => id),
      [deviceId],
    ),
    shallow,
  );
  const sync = useFirstSync();
  const refused = useLink((link) => link.refused !== null);
  if (ids.length === 0) {
    const state = refused || sync === "failed" ? "unreadable" : sync === "waiting" ? "reading" : "none";
    return <Text color="fg.muted">{t(`valves.${state}`)}</Text>;
  }
  return (
    <ul aria-label={t("valves.title")}>
      {ids.map((id) => (
        <Valve key={id} id={id} account={account} />
      ))}
    </ul>
  );
}

const NAMES = ["channel", "sensor.listing", "controller.listing"] as const;

function Valve({ id, account }: { id: string } & Pick<OwnerValvesProps, "account">) {
  const { t } = useTranslation("common");
  const labels = useLabels();
  const channel = useLive("channel", id);
  const name = useLiveSelection(
    NAMES,
    useCallback(
      (farm: LiveFarm) => {
        const here = farm.channels.get(id);
        return here ? channelName(here, farm) : null;
      },
      [id],
    ),
  );
  const quality = useDrawnQuality(channel);
  const report = useLastReport(channel);
  if (!channel) return null;
  const { controllerId, number, onoff, command } = channel;
  const view = valveView({ onoff, command, quality });
  const title = labels.thing({ name: name ?? "", number }).trim();
  const state = [valveTexts(t, view, report.time), view.live ? null : report.sentence];
  return (
    <Flex as="li" align="center" wrap="wrap" gap="2.5" py="2" borderTopWidth="1px" data-testid="owner-valve">
      <ValveSymbol view={view} size={28} />
      <Text flex="1" minW="8rem">
        <strong>{title}</strong>
        <br />
        {state.filter(Boolean).join(" · ")}
      </Text>
      {view.kind !== "closed" && (
        <CloseValve
          valve={{ accountId: account.id, controllerId, channelId: id, name: title, account: account.name }}
        />
      )}
    </Flex>
  );
}
