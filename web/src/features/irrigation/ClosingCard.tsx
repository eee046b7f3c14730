import { Button } from "@chakra-ui/react";
import { XIcon } from "lucide-react";
import { useCallback } from "react";
import { Link } from "react-router-dom";
import { ErrorNote } from "../../components/alerts.tsx";
import { IconButton } from "../../components/icon-button.tsx";
import { type Closing, type ClosingValve, outcomeOfValve, summaryOf } from "../../farm/close-all.ts";
import { useFollowedClosing } from "../../farm/use-closing.ts";
import { thingTitle } from "../../farm/use-names.ts";
import { useTimeWords } from "../../farm/use-time-words.ts";
import { useLabels } from "../../i18n/labels.ts";
import { useTranslation } from "../../i18n/use-translation.ts";
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
        <section className="closing" role="status">
          <strong>{t("closeAll.sending")}</strong>
        </section>
      );
    case "refused":
    case "unsure":
      return (
        <div className="closing-failed">
          <ErrorNote
            action={
              <span className="closing-failed__ways">
                <Button size="sm" onClick={() => void service.repeat()}>
                  {t("common:action.retry")}
                </Button>
                <IconButton label={t("closeAll.dismiss")} onClick={service.dismiss}>
                  <XIcon />
                </IconButton>
              </span>
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
    <section className="closing" data-state={summary.state} aria-label={t("closeAll.title")}>
      <div className="closing__head">
        <div role="status" aria-live="polite">
          <strong className="closing__result" data-testid="closing-result">
            {summary.state === "under-way" &&
              t("closeAll.underWay", { count: summary.closed, total: summary.total })}
            {summary.state === "all-closed" && t("closeAll.allClosed", { count: summary.total })}
            {summary.state === "not-confirmed" &&
              t("closeAll.notConfirmed", { count: summary.troubled.length, names: listed(summary.troubled) })}
            {summary.state === "nothing" && t("closeAll.nothing")}
          </strong>
          <span className="closing__when">{t("closeAll.at", { time: words.time(closing.at) })}</span>
        </div>
        <IconButton label={t("closeAll.dismiss")} onClick={onDismiss}>
          <XIcon />
        </IconButton>
      </div>
      <ul className="closing__valves" data-testid="closing-valves">
        {closing.channels.map((valve) => (
          <li key={valve.commandId} data-outcome={outcomeOfValve(valve)}>
            <ValveLine valve={valve} name={nameOf(valve)} known={names.get(valve.channelId)} />
          </li>
        ))}
      </ul>
      {summary.mayReopen.length > 0 && (
        <p className="closing__reopen">{t("closeAll.mayReopen", { names: listed(summary.mayReopen) })}</p>
      )}
      {modeUnknown.length > 0 && (
        <p className="closing__reopen">{t("closeAll.modeUnknown", { names: listed(modeUnknown) })}</p>
      )}
    </section>
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
      {reason && <span className="closing__reason">{reason}</span>}
    </>
  );
}
