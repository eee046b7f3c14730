import { Button, chakra, Flex, Text } from "@chakra-ui/react";
import { XIcon } from "lucide-react";
import { useCallback } from "react";
import { useTranslation } from "react-i18next";
import { Link } from "react-router-dom";
import { ErrorNote } from "../../components/alerts.tsx";
import { IconButton } from "../../components/icon-button.tsx";
import { thingTitle } from "../../domain/farm/use-names.ts";
import { useTimeWords } from "../../domain/time/use-time-words.ts";
import { type Closing, type ClosingValve, outcomeOfValve, summaryOf } from "../../domain/valve/close-all.ts";
import { useFollowedClosing } from "../../domain/valve/use-closing.ts";
import { useLabels } from "../../i18n/labels.ts";
import { type LiveFarm, useLiveSelection } from "../../live/hooks.ts";
import { panelPath } from "./paths.ts";
import { type NamedChannel, useChannelNames } from "./use-farms.ts";
import "./close-all.css";

const CHANNELS = ["channel"] as const;

/** Show the progress of this tab's last close-all until the user dismisses it. */
export function ClosingCard() {
  const { t } = useTranslation(["irrigation", "common"]);
  const labels = useLabels();
  const { state, service } = useFollowedClosing();
  switch (state.state) {
    case "none":
      return null;
    case "sending":
      return (
        <chakra.section
          pt="3"
          pr="2"
          pb="3"
          pl="card"
          borderWidth="1px"
          borderColor="border.strong"
          rounded="card"
          bg="bg.panel"
          css={{
            '&[data-state="under-way"]': { bg: "flow.tint" },
            '&[data-state="not-confirmed"]': {
              borderWidth: "2px",
              borderColor: "alarm.p1.fg",
              bg: "alarm.p1.tint",
            },
          }}
          role="status"
        >
          <strong>{t("closeAll.sending")}</strong>
        </chakra.section>
      );
    case "refused":
    case "unsure":
      return (
        <div className="closing-failed">
          <ErrorNote
            action={
              <Flex as="span" align="center" gap="1">
                <Button size="sm" onClick={() => void service.repeat()}>
                  {t("common:action.retry")}
                </Button>
                <IconButton label={t("closeAll.dismiss")} onClick={service.dismiss}>
                  <XIcon />
                </IconButton>
              </Flex>
            }
          >
            {t(state.state === "refused" ? "closeAll.refused" : "closeAll.unsure")}{" "}
            {labels.error(state.reason)}
          </ErrorNote>
        </div>
      );
    case "accepted":
      return <Accepted closing={state.closing} onDismiss={service.dismiss} />;
  }
}

function Accepted({ closing, onDismiss }: { closing: Closing; onDismiss: () => void }) {
  const { t } = useTranslation(["irrigation", "common"]);
  const words = useTimeWords();
  const names = useChannelNames();
  const summary = summaryOf(closing);
  const nameOf = ({ channelId, number }: ClosingValve): string => {
    const name = names.get(channelId)?.name ?? "";
    return thingTitle({ name, number }, (each) => t("common:valve.channel", { number: each })).trim();
  };
  const modeUnknown = useModeUnknown(closing.channels);
  const listed = (valves: readonly ClosingValve[]) => valves.map(nameOf).join(", ");
  return (
    <chakra.section
      pt="3"
      pr="2"
      pb="3"
      pl="card"
      borderWidth="1px"
      borderColor="border.strong"
      rounded="card"
      bg="bg.panel"
      css={{
        '&[data-state="under-way"]': { bg: "flow.tint" },
        '&[data-state="not-confirmed"]': {
          borderWidth: "2px",
          borderColor: "alarm.p1.fg",
          bg: "alarm.p1.tint",
        },
      }}
      data-state={summary.state}
      aria-label={t("closeAll.title")}
    >
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
          <Text as="span" color="fg.muted" fontSize="label">
            {t("closeAll.at", { time: words.time(closing.at) })}
          </Text>
        </div>
        <IconButton label={t("closeAll.dismiss")} onClick={onDismiss}>
          <XIcon />
        </IconButton>
      </Flex>
      <ul className="closing__valves" data-testid="closing-valves">
        {closing.channels.map((valve) => (
          <li key={valve.commandId} data-outcome={outcomeOfValve(valve)}>
            <ValveLine valve={valve} name={nameOf(valve)} known={names.get(valve.channelId)} />
          </li>
        ))}
      </ul>
      {summary.mayReopen.length > 0 && (
        <Text color="fg.muted" fontSize="label">
          {t("closeAll.mayReopen", { names: listed(summary.mayReopen) })}
        </Text>
      )}
      {modeUnknown.length > 0 && (
        <Text color="fg.muted" fontSize="label">
          {t("closeAll.modeUnknown", { names: listed(modeUnknown) })}
        </Text>
      )}
    </chakra.section>
  );
}

/** Select the valves whose mode the farm API does not report (MODE-4): each may open again. */
function useModeUnknown(valves: readonly ClosingValve[]): readonly ClosingValve[] {
  const select = useCallback(
    ({ channels }: LiveFarm) => valves.filter(({ channelId }) => channels.get(channelId)?.modes === null),
    [valves],
  );
  return useLiveSelection(CHANNELS, select, sameValves);
}

const sameValves = (a: readonly ClosingValve[], b: readonly ClosingValve[]): boolean =>
  a.length === b.length && a.every((valve, index) => valve === b[index]);

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
      {known ? <Link to={panelPath(known.unitId, known.number)}>{name}</Link> : <span>{name}</span>}
      <span className="closing__state">{state}</span>
      {reason && (
        <Text as="span" flexBasis="full" color="fg.muted" fontSize="caption">
          {reason}
        </Text>
      )}
    </>
  );
}
