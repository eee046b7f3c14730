import type { DeviceProfile } from "@mulkko/shared/rest/device-profile";
import { useEffect, useState } from "react";
import { SelectField, TextField } from "../components/field.tsx";
import { useTranslation } from "../i18n/use-translation.ts";
import { fetchDeviceProfiles } from "../rest/device-profiles.ts";
import { useRest } from "../rest/hooks.ts";
import { fittingProfiles } from "./fitting-profiles.ts";

/** Longest name of a decoder. */
const MAX_LENGTH = 64;

interface ProfileSelectProps {
  deviceType: string;
  value: string;
  error?: string | undefined;
  onChange: (name: string) => void;
}

/** Choose the decoder for a LoRaWAN device's messages. Without a list from the API its name can be typed. */
export function ProfileSelect({ deviceType, value, error, onChange }: ProfileSelectProps) {
  const { t } = useTranslation("devices");
  const { client } = useRest();
  const [profiles, setProfiles] = useState<readonly DeviceProfile[] | "asking" | "unknown">("asking");
  useEffect(() => {
    const abort = new AbortController();
    fetchDeviceProfiles(client, abort.signal).then(setProfiles, () => {
      if (!abort.signal.aborted) setProfiles("unknown");
    });
    return () => abort.abort();
  }, [client]);
  if (profiles === "unknown") {
    return (
      <TextField
        label={t("lora.profile")}
        hint={t("lora.profileTyped")}
        name="profile"
        maxLength={MAX_LENGTH}
        value={value}
        error={error}
        onChange={(event) => onChange(event.target.value)}
      />
    );
  }
  const known = profiles === "asking" ? [] : fittingProfiles(profiles, deviceType, value);
  const lost = value !== "" && !known.some(({ name }) => name === value);
  return (
    <SelectField
      label={t("lora.profile")}
      hint={t("lora.profileHint")}
      name="profile"
      value={value}
      error={error}
      options={[
        { value: "", label: t("lora.profileNone") },
        ...known.map(({ name, maker, model }) => ({ value: name, label: `${maker} ${model}`, group: maker })),
        ...(lost ? [{ value, label: value }] : []),
      ]}
      onChange={onChange}
    />
  );
}
