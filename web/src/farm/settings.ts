import type { AccountSettings } from "@mulkko/shared/rest/settings";
import { useEffect, useMemo } from "react";
import { useStore } from "zustand";
import type { RestClient } from "../rest/client.ts";
import { useAccount, useRest } from "../rest/hooks.ts";
import { capMinutesOf, flowSensorOf, runMinutesOf } from "./run-settings.ts";
import { createSettingsDesk, type SettingsDesk } from "./settings-desk.ts";

/** What an account has set of its valves. Until it is known, what holds where nobody has set anything. */
export interface Settings extends Pick<SettingsDesk, "changeAdoption" | "changeChannel" | "changeCap"> {
  /** null until they have come. */
  readonly settings: AccountSettings | null;
  /** Why they did not come, for `labels.error`; null while all is well. */
  readonly failure: string | null;
  /** Minutes of an opening that nobody has chosen; with its controller, not above the controller's cap. */
  runMinutes(channelId: string | number, controllerId?: string | number): number;
  /** Minutes that no manual opening of the controller or COT sensor may exceed. */
  capMinutes(controllerId: string | number): number;
  /** The flow meter that is linked to the channel; null for none. */
  flowSensor(channelId: string | number): string | null;
  /** Asks for them again. */
  reread(): void;
}

/** One desk per client, for the account that is signed in; another account begins with nothing. */
const desks = new WeakMap<RestClient, { accountId: string; desk: SettingsDesk }>();

function deskOf(client: RestClient, accountId: string): SettingsDesk {
  const known = desks.get(client);
  if (known?.accountId === accountId) return known.desk;
  const desk = createSettingsDesk(client);
  desks.set(client, { accountId, desk });
  return desk;
}

/** The account's settings, read when the first part of a page wants them, and followed as this page changes them. */
export function useSettings(): Settings {
  const { client } = useRest();
  const desk = deskOf(client, `${useAccount().id}`);
  const { settings, failure } = useStore(desk.store);
  useEffect(() => void desk.read(), [desk]);
  return useMemo(
    () => ({
      settings,
      failure,
      runMinutes: (channelId, controllerId) => runMinutesOf(settings, channelId, controllerId),
      capMinutes: (controllerId) => capMinutesOf(settings, controllerId),
      flowSensor: (channelId) => flowSensorOf(settings, channelId),
      changeAdoption: desk.changeAdoption,
      changeChannel: desk.changeChannel,
      changeCap: desk.changeCap,
      reread: () => void desk.read(),
    }),
    [desk, settings, failure],
  );
}
