import { Button, Grid, Stack, Text } from "@chakra-ui/react";
import type { ChannelValue } from "@mulkko/shared/live/devices";
import type { Quality } from "@mulkko/shared/rules/quality";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { useReadOnly } from "../../api/hooks.ts";
import { useClaim } from "../../api/knowledge.ts";
import { ConfirmDialog } from "../../components/dialog.tsx";
import { useClosing } from "../../domain/valve/closing-service.ts";
import { waterOf } from "../../domain/watering/water-sum.ts";
import { useLabels } from "../../i18n/labels.ts";
import { useLinkQuality, useLiveSelection, usePressTime } from "../../live/hooks.ts";
import type { FarmItem, FarmUnit } from "./farm-list.ts";

/** A channel in the question before a close-all. */
interface QuestionedValve {
  readonly id: string;
  /** The valve's name (NAME-1). */
  readonly name: string;
  readonly number: number;
  readonly mode: "automatic" | "period" | "reservation" | "none";
}

/** Facts that the user needs before closing all valves. */
interface ClosingQuestion {
  /** Valves that get a close command. */
  readonly valves: number;
  readonly open: readonly QuestionedValve[];
  /** Not open by the last report, and that report is not live: missing, late, or from a lost connection. */
  readonly unknown: readonly QuestionedValve[];
  /** Closed or not, a mode in charge may open them again. */
  readonly mayReopen: readonly QuestionedValve[];
  /** Closed or not, a mode may open them again: the farm API does not report which one is in charge (MODE-4). */
  readonly modeUnknown: readonly QuestionedValve[];
}

export function questionOf(
  units: readonly FarmUnit[],
  channels: ReadonlyMap<string, ChannelValue>,
  links: Quality,
): ClosingQuestion {
  const open: QuestionedValve[] = [];
  const unknown: QuestionedValve[] = [];
  const mayReopen: QuestionedValve[] = [];
  const modeUnknown: QuestionedValve[] = [];
  let valves = 0;
  for (const unit of units) {
    for (const { id, name, number } of unit.channels) {
      const channel = channels.get(id);
      if (!channel) continue;
      valves += 1;
      const mode = channel.modes?.active ?? "none";
      const valve = { id, name, number, mode };
      const water = waterOf(channel, links);
      if (water === "runs" || water === "ran") open.push(valve);
      else if (water === "unknown") unknown.push(valve);
      if (channel.modes === null) modeUnknown.push(valve);
      else if (mode !== "none") mayReopen.push(valve);
    }
  }
  return { valves, open, unknown, mayReopen, modeUnknown };
}

export const sameQuestion = (a: ClosingQuestion, b: ClosingQuestion): boolean =>
  JSON.stringify(a) === JSON.stringify(b);

/** Maximum number of valves that the question names; the others are counted. */
const NAMED = 8;

/** Name the valves that are open, that are not known, and that may open again: read before the second press. */
function CloseAllQuestion({ question }: { question: ClosingQuestion }) {
  const { t } = useTranslation(["irrigation", "common"]);
  const labels = useLabels();
  const claim = useClaim();
  const names = (valves: readonly QuestionedValve[], withMode = false): string => {
    const named = valves.slice(0, NAMED).map((valve) => {
      const title = labels.thing(valve);
      return withMode ? `${title} (${t(`common:mode.${valve.mode}`)})` : title;
    });
    const rest = valves.length - named.length;
    return [...named, ...(rest > 0 ? [t("closeAll.others", { count: rest })] : [])].join(", ");
  };
  const { open, unknown, mayReopen, modeUnknown } = question;
  return (
    <Stack gap="2.5">
      {open.length > 0 && <p>{t("closeAll.open", { names: names(open) })}</p>}
      {/* Where the state of some is unknown, none is called closed. */}
      {open.length + unknown.length === 0 && <p>{claim(t("closeAll.noneOpen"))}</p>}
      {unknown.length > 0 && <p>{t("closeAll.unknown", { names: names(unknown) })}</p>}
      {mayReopen.length > 0 && <p>{t("closeAll.mayReopen", { names: names(mayReopen, true) })}</p>}
      {modeUnknown.length > 0 && <p>{t("closeAll.modeUnknown", { names: names(modeUnknown) })}</p>}
    </Stack>
  );
}

const CHANNELS = ["channel"] as const;

interface CloseAllButtonProps {
  /** null: all valves of the account. */
  farm: Pick<FarmItem, "id" | "name"> | null;
  units: readonly FarmUnit[];
}

/**
 * Close all valves of a farm with two presses (RUN-5). Closing is safe, so a lost connection does not disable it
 * (CMD-8).
 */
export function CloseAllButton({ farm, units }: CloseAllButtonProps) {
  const { t } = useTranslation(["irrigation", "controller"]);
  const { state, service } = useClosing();
  const press = usePressTime();
  const links = useLinkQuality();
  const readOnly = useReadOnly();
  const [asking, setAsking] = useState(false);
  const question = useLiveSelection<ClosingQuestion>(
    CHANNELS,
    ({ channels }) => questionOf(units, channels, links),
    sameQuestion,
  );
  if (question.valves === 0) return null;
  const sending = state.state === "sending";
  const why = readOnly ? t("controller:why.read-only") : null;
  return (
    <>
      <Grid
        as="span"
        justifyItems={{ base: "start", md: "end" }}
        gap="1"
        mdDown={{ '[data-testid="page-actions"]:has(> :nth-child(3)) > &': { justifyItems: "stretch" } }}
        data-testid="close-all"
        title={why ?? undefined}
      >
        <Button
          variant="outline"
          colorPalette="red"
          disabled={why !== null}
          // Only `aria-disabled` while it sends: the dialog returns the focus to it.
          aria-disabled={sending || undefined}
          onClick={() => !sending && setAsking(true)}
        >
          {sending ? t("closeAll.sending") : t("closeAll.button")}
        </Button>
        {why !== null && (
          <Text as="span" color="fg.muted" fontSize="caption">
            {why}
          </Text>
        )}
      </Grid>
      <ConfirmDialog
        open={asking}
        title={farm === null ? t("closeAll.askAll") : t("closeAll.ask", { name: farm.name })}
        body={<CloseAllQuestion question={question} />}
        confirmLabel={t("closeAll.confirm", { count: question.valves })}
        danger
        onConfirm={() => {
          setAsking(false);
          const valves = units.flatMap(({ id: controllerId, channels }) =>
            channels.map(({ number }) => ({ controllerId, number })),
          );
          service.close({ id: farm?.id ?? null, name: farm?.name ?? null, valves }, press());
        }}
        onClose={() => setAsking(false)}
      />
    </>
  );
}
