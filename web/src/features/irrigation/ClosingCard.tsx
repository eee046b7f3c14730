import { chakra, Flex, Grid, Text } from "@chakra-ui/react";
import { XIcon } from "lucide-react";
import { useTranslation } from "react-i18next";
import { shallow } from "zustand/shallow";
import { ErrorNote } from "../../components/alerts.tsx";
import { IconButton } from "../../components/icon-button.tsx";
import { TextLink } from "../../components/text-link.tsx";
import { panelPath } from "../../domain/farm/device-paths.ts";
import { useTimeTexts } from "../../domain/time/use-time-texts.ts";
import {
  type Closing,
  type ClosingValve,
  outcomeOfValve,
  summaryOf,
  useFollowedClosing,
} from "../../domain/valve/closing-service.ts";
import { RememberedNote } from "../../domain/valve/remembered-note.tsx";
import { useOutbox, useShownOnPage } from "../../domain/valve/use-outbox.ts";
import { useLabels } from "../../i18n/labels.ts";
import { useLiveSelection } from "../../live/hooks.ts";
import { type NamedChannel, useChannelNames } from "./use-farms.ts";

const CHANNELS = ["channel"] as const;

/** Show the progress of this tab's last close-all until the user dismisses it. */
export function ClosingCard() {
  const { t } = useTranslation(["irrigation", "common"]);
  const labels = useLabels();
  const { state, service } = useFollowedClosing();
  const outbox = useOutbox();
  useShownOnPage("entry" in state ? [state.entry.id] : []);
  switch (state.state) {
    case "none":
      return null;
    case "sending":
      return <RememberedNote entry={state.entry} onTakeBack={() => outbox.takeBack(state.entry.id)} />;
    case "refused":
      return (
        <ErrorNote
          action={
            <IconButton label={t("closeAll.dismiss")} onClick={() => outbox.dismiss(state.entry.id)}>
              <XIcon />
            </IconButton>
          }
        >
          {t("closeAll.refused")} {labels.error(state.reason)}
        </ErrorNote>
      );
    case "accepted":
      return <Accepted closing={state.closing} onDismiss={service.dismiss} />;
  }
}

const FRAME = {
  py: "3",
  ps: "card",
  pe: "2",
  borderWidth: "1px",
  borderColor: "border.strong",
  rounded: "card",
  bg: "bg.panel",
  css: {
    '&[data-state="under-way"]': { bg: "flow.tint" },
    '&[data-state="not-confirmed"]': {
      borderWidth: "2px",
      borderColor: "alarm.p1.fg",
      bg: "alarm.p1.tint",
    },
  },
} as const;

const MUTED = { color: "fg.muted", fontSize: "label" } as const;
const UNSURE = '[data-outcome="unconfirmed"] > &, [data-outcome="taken-over"] > &';

function Accepted({ closing, onDismiss }: { closing: Closing; onDismiss: () => void }) {
  const { t } = useTranslation(["irrigation", "common"]);
  const texts = useTimeTexts();
  const labels = useLabels();
  const names = useChannelNames();
  const summary = summaryOf(closing);
  const nameOf = ({ channelId, number }: ClosingValve): string => {
    const name = names.get(channelId)?.name ?? "";
    return labels.thing({ name, number }).trim();
  };
  const modeUnknown = useModeUnknown(closing.channels);
  const listed = (valves: readonly ClosingValve[]) => valves.map(nameOf).join(", ");
  return (
    <chakra.section {...FRAME} data-state={summary.state} aria-label={t("closeAll.title")}>
      <Flex
        align="flex-start"
        justify="space-between"
        gap="3"
        css={{ "& > div": { display: "grid", gap: "0.5", pt: "2" } }}
      >
        <div role="status" aria-live="polite">
          <chakra.strong fontSize="title" fontWeight="650" data-testid="closing-result">
            {summary.state === "under-way" &&
              t("closeAll.underWay", { count: summary.closed, total: summary.total })}
            {summary.state === "all-closed" && t("closeAll.allClosed", { count: summary.total })}
            {summary.state === "not-confirmed" &&
              t("closeAll.notConfirmed", { count: summary.troubled.length, names: listed(summary.troubled) })}
            {summary.state === "nothing" && t("closeAll.nothing")}
          </chakra.strong>
          <Text as="span" {...MUTED}>
            {t("closeAll.at", { time: texts.time(closing.at) })}
          </Text>
        </div>
        <IconButton label={t("closeAll.dismiss")} onClick={onDismiss}>
          <XIcon />
        </IconButton>
      </Flex>
      <Grid
        as="ul"
        templateColumns="repeat(auto-fill, minmax(min(100%, 19rem), 1fr))"
        rowGap="0.5"
        columnGap="6"
        my="2"
        data-testid="closing-valves"
      >
        {closing.channels.map((valve) => (
          <Flex
            as="li"
            key={valve.commandId}
            wrap="wrap"
            align="center"
            columnGap="2.5"
            minH="max(2.25rem, var(--finger))"
            data-outcome={outcomeOfValve(valve)}
          >
            <ValveLine valve={valve} name={nameOf(valve)} known={names.get(valve.channelId)} />
          </Flex>
        ))}
      </Grid>
      {summary.mayReopen.length > 0 && (
        <Text {...MUTED}>{t("closeAll.mayReopen", { names: listed(summary.mayReopen) })}</Text>
      )}
      {modeUnknown.length > 0 && (
        <Text {...MUTED}>{t("closeAll.modeUnknown", { names: listed(modeUnknown) })}</Text>
      )}
    </chakra.section>
  );
}

/** Select the valves whose mode the farm API does not report (MODE-4): each may open again. */
function useModeUnknown(valves: readonly ClosingValve[]): readonly ClosingValve[] {
  return useLiveSelection(
    CHANNELS,
    ({ channels }) => valves.filter(({ channelId }) => channels.get(channelId)?.modes === null),
    shallow,
  );
}

interface ValveLineProps {
  valve: ClosingValve;
  name: string;
  known: NamedChannel | undefined;
}

function ValveLine({ valve, name, known }: ValveLineProps) {
  const { t } = useTranslation(["irrigation", "common"]);
  const labels = useLabels();
  const outcome = outcomeOfValve(valve);
  const state = outcome === "closed" ? t("common:valve.closed") : t(`common:command.state.${valve.state}`);
  const reason = outcome === "closed" || valve.reason === null ? null : labels.error(valve.reason);
  return (
    <>
      {known ? (
        <TextLink to={panelPath(known.unitId, known.number)} look={{ minH: "var(--finger)" }}>
          {name}
        </TextLink>
      ) : (
        <span>{name}</span>
      )}
      <Text as="span" color="fg.muted" css={{ [UNSURE]: { color: "alarm.p1.fg", fontWeight: "650" } }}>
        {state}
      </Text>
      {reason && (
        <Text as="span" flexBasis="full" color="fg.muted" fontSize="caption">
          {reason}
        </Text>
      )}
    </>
  );
}
