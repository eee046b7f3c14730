import { useTranslation } from "react-i18next";
import { useRestQuery } from "../../api/queries.tsx";
import { fetchDeviceProfiles } from "../../api/sensors.ts";
import { SelectField, TextField } from "../../components/field.tsx";
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
  const { data: profiles, error: unknown } = useRestQuery(["device-profiles"], fetchDeviceProfiles);
  if (unknown !== null) {
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
  const known = profiles === null ? [] : fittingProfiles(profiles, deviceType, value);
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
