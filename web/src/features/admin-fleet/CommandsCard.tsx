import { RELAY_ACTOR } from "@mulkko/shared/live/devices";
import type { FleetCommandValue } from "@mulkko/shared/live/fleet";
import { fleetDeviceKey } from "@mulkko/shared/live/fleet-keys";
import { useTranslation } from "react-i18next";
import { useExtension } from "../../api/extensions.ts";
import { nameOf } from "../../domain/fleet/device-state.ts";
import type { FleetStore } from "../../domain/fleet/fleet-store.ts";
import { useFleetSelection } from "../../domain/fleet/hooks.ts";
import { unwatchedCount } from "../../domain/fleet/morning.ts";
import { useTimeWords } from "../../domain/time/use-time-words.ts";
import { useLabels } from "../../i18n/labels.ts";
import { MorningCard, MorningLine } from "./MorningCard.tsx";

const COMMANDS = ["command", "names"] as const;
const ACCOUNTS = ["account"] as const;
const LINES = 8;
/** Commands that the farm API accepted without a confirmation, of any age. */
const TAKEN = "/adminpage/audit?show=commands&outcome=taken";

interface NamedCommand {
  readonly command: FleetCommandValue;
  /** Name of the controller; null if the fleet does not contain it. */
  readonly controller: string | null;
}

/** Return all commands with the names of their controllers, newest first. */
function commandsIn(store: FleetStore): NamedCommand[] {
  return [...store.all("command").values()]
    .sort((a, b) => Date.parse(b.at) - Date.parse(a.at))
    .map((command) => {
      const device =
        store.get("device", fleetDeviceKey("controller", command.controllerId)) ??
        store.get("device", fleetDeviceKey("sensor", command.controllerId));
      return { command, controller: device ? nameOf(device) : null };
    });
}

const unwatchedIn = (store: FleetStore) => unwatchedCount(store.all("account").values());
const same = (a: readonly NamedCommand[], b: readonly NamedCommand[]): boolean =>
  a.length === b.length &&
  a.every((each, index) => each.command === b[index]?.command && each.controller === b[index]?.controller);

/**
 * List commands of the last 24 hours that failed or were not confirmed, for the accounts that the relay
 * watches.
 */
export function CommandsCard() {
  const { t } = useTranslation(["morning", "common"]);
  const labels = useLabels();
  const { dayTime } = useTimeWords();
  const isLogged = useExtension("audit");
  const commands = useFleetSelection(COMMANDS, commandsIn, same);
  const unwatched = useFleetSelection(ACCOUNTS, unwatchedIn);
  const rest = commands.length - LINES;
  return (
    <MorningCard
      title={t("commands.title")}
      count={commands.length}
      none={t("commands.none")}
      empty={commands.length === 0}
      rest={rest > 0 ? t("commands.rest", { count: rest }) : null}
      note={unwatched > 0 ? t("commands.unwatched", { count: unwatched }) : null}
      all={isLogged ? { to: TAKEN, label: t("commands.all") } : undefined}
    >
      {commands.slice(0, LINES).map(({ command, controller }) => {
        const { id, username, number, target, state, reason, by, at } = command;
        const what =
          target === null ? command.command : t(`common:command.target.${target === 1 ? "open" : "close"}`);
        return (
          <MorningLine
            key={id}
            name={[controller, t("common:valve.channel", { number }), what].filter(Boolean).join(" · ")}
            about={[
              username,
              by.id === RELAY_ACTOR.id ? labels.actor(by) : t("commands.by", { name: by.nickname }),
            ]
              .filter(Boolean)
              .join(" · ")}
            fault={
              state === "failed" &&
              [t("common:command.state.failed"), reason && labels.error(reason)].filter(Boolean).join(" · ")
            }
          >
            <strong>{dayTime(Date.parse(at))}</strong>
          </MorningLine>
        );
      })}
    </MorningCard>
  );
}
