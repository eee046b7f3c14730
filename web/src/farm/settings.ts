import type { AccountSettings } from "@mulkko/shared/rest/settings";
import { useEffect, useMemo } from "react";
import { useStore } from "zustand";
import type { RestClient } from "../rest/client.ts";
import { useAccount, useRest } from "../rest/hooks.ts";
import { capMinutesOf, flowSensorOf, runMinutesOf } from "./run-settings.ts";
import { createSettingsService, type SettingsService } from "./settings-service.ts";

/** Settings of an account's valves. Defaults apply until they have loaded. */
export interface Settings extends Pick<SettingsService, "changeAdoption" | "changeChannel" | "changeCap"> {
  /** Null until they have loaded. */
  readonly settings: AccountSettings | null;
  /** Reason of a failed read, for `labels.error`; null without a failure. */
  readonly failure: string | null;
  /** Return the default minutes of an opening; with its controller, not above the controller's cap. */
  runMinutes(channelId: string | number, controllerId?: string | number): number;
  /** Return the minutes that no manual opening of the controller or COT sensor may exceed. */
  capMinutes(controllerId: string | number): number;
  /** Return the flow meter linked to the channel; null for none. */
  flowSensor(channelId: string | number): string | null;
  /** Load the settings again. */
  reread(): void;
}

/** One service per client, for the signed-in account; another account starts with an empty one. */
const services = new WeakMap<RestClient, { accountId: string; service: SettingsService }>();

function serviceOf(client: RestClient, accountId: string): SettingsService {
  const known = services.get(client);
  if (known?.accountId === accountId) return known.service;
  const service = createSettingsService(client);
  services.set(client, { accountId, service });
  return service;
}

/**
 * Return the account's settings. The first user of the hook loads them; later changes on this page are
 * included.
 */
export function useSettings(): Settings {
  const { client } = useRest();
  const service = serviceOf(client, `${useAccount().id}`);
  const { settings, failure } = useStore(service.store);
  useEffect(() => void service.read(), [service]);
  return useMemo(
    () => ({
      settings,
      failure,
      runMinutes: (channelId, controllerId) => runMinutesOf(settings, channelId, controllerId),
      capMinutes: (controllerId) => capMinutesOf(settings, controllerId),
      flowSensor: (channelId) => flowSensorOf(settings, channelId),
      changeAdoption: service.changeAdoption,
      changeChannel: service.changeChannel,
      changeCap: service.changeCap,
      reread: () => void service.read(),
    }),
    [service, settings, failure],
  );
}
