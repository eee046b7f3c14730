import type { AccountSettings } from "@mulkko/shared/rest/settings";
import type { SettingsChange } from "./settings-rules.ts";

/** Return an account's settings after a change. A reset value is removed, so that its default applies. */
export function changedSettings(settings: AccountSettings, change: SettingsChange): AccountSettings {
  switch (change.about) {
    case "account":
      return { ...settings, adoptExternal: change.adoptExternal };
    case "controller": {
      const { [change.id]: _, ...controllers } = settings.controllers;
      const { maxRunSeconds } = change;
      if (maxRunSeconds !== null) controllers[change.id] = { maxRunSeconds };
      return { ...settings, controllers };
    }
    case "channel": {
      const { [change.id]: before, ...channels } = settings.channels;
      const name = chosen(change.name?.trim() ?? change.name, before?.name);
      const defaultRunSeconds = chosen(change.defaultRunSeconds, before?.defaultRunSeconds);
      const flowSensorId = chosen(change.flowSensorId, before?.flowSensorId);
      if (name !== undefined || defaultRunSeconds !== undefined || flowSensorId !== undefined) {
        channels[change.id] = {
          ...(name !== undefined && { name }),
          ...(defaultRunSeconds !== undefined && { defaultRunSeconds }),
          ...(flowSensorId !== undefined && { flowSensorId }),
        };
      }
      return { ...settings, channels };
    }
  }
}

const chosen = <T>(asked: T | null | undefined, before: T | undefined): T | undefined =>
  asked === undefined ? before : (asked ?? undefined);
