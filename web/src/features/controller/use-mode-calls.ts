import type { ActiveMode } from "@mulkko/shared/rules/valve";
import { useMemo } from "react";
import type { BoxChannel, ValveBox } from "../../farm/valve-boxes.ts";
import { useLabels } from "../../i18n/labels.ts";
import { useTranslation } from "../../i18n/use-translation.ts";
import { newCommandId } from "../../rest/command.ts";
import { sendSetting } from "../../rest/commands.ts";
import { errorReason } from "../../rest/error-reason.ts";
import { ApiError } from "../../rest/errors.ts";
import { useApiZone, useExtension } from "../../rest/extensions.ts";
import { useRest } from "../../rest/hooks.ts";
import { type Mode, putInCharge, saveSetting } from "../../rest/modes.ts";
import { FormFailure } from "../../ui/form/refusal.ts";
import { commandsOf, type ModeCommand, resetCommand, type TellFate, tellInOrder } from "./mode-commands.ts";
import { type ModeValues, type SavingKind, settingOf } from "./mode-model.ts";
import { inFormFields } from "./mode-refusal.ts";

/**
 * How the channel's modes are saved; null until the relay has said what the farm API offers, as the same call saves
 * on the one and opens water on the other.
 */
export function useSavingKind(form: ValveBox["form"]): SavingKind | null {
  const isKnown = useApiZone() !== null;
  const apart = useExtension("mode-enable");
  if (form === "sensor") return "one-by-one";
  if (!isKnown) return null;
  return apart ? "apart" : "together";
}

/** What a page asks of a channel's modes. Each throws what a form can tell: a refusal, or a `FormFailure`. */
export interface ModeCalls {
  /** @param reported the values as the channel reports them */
  save(mode: Mode, kind: SavingKind, reported: ModeValues, values: ModeValues): Promise<void>;
  /** Extension `mode-enable` alone. */
  charge(active: ActiveMode): Promise<void>;
  reset(mode: Mode): Promise<void>;
}

export function useModeCalls(box: ValveBox, channel: BoxChannel): ModeCalls {
  const { client } = useRest();
  const { t } = useTranslation(["controller", "common"]);
  const labels = useLabels();
  const { controllerId, number } = channel.value;
  const { form } = box;
  const channelId = channel.id;
  return useMemo(() => {
    const tell = async ({ command, payload }: ModeCommand): Promise<TellFate> => {
      try {
        const commandId = newCommandId();
        return await sendSetting(client, { commandId, form, controllerId, number, command, payload });
      } catch (error) {
        const isRefused = error instanceof ApiError && !error.temporary;
        return { kind: isRefused ? "refused" : "unsure", reason: errorReason(error) };
      }
    };
    const tellAll = async (commands: readonly ModeCommand[]): Promise<void> => {
      const { taken, failed } = await tellInOrder(commands, tell);
      if (failed === null) return;
      const name = ({ sets }: ModeCommand) => t(`mode.told.${sets}`);
      const sentences = [
        t(failed.sure ? "mode.refused" : "mode.unsure", { what: name(failed.command) }),
        labels.error(failed.reason),
      ];
      if (taken.length > 0) sentences.push(t("mode.partly", { what: taken.map(name).join(", ") }));
      throw new FormFailure(sentences.join(" "));
    };
    return {
      async save(mode, kind, reported, values) {
        if (kind === "one-by-one") return tellAll(commandsOf(mode, reported, values));
        try {
          await saveSetting(client, channelId, settingOf(mode, values, kind));
        } catch (error) {
          throw inFormFields(error);
        }
      },
      charge: (active) => putInCharge(client, channelId, active),
      reset: (mode) => tellAll([resetCommand(mode)]),
    };
  }, [client, form, controllerId, number, channelId, t, labels]);
}
