import type { SensorInfo } from "@mulkko/shared/entities/sensor";
import { useTranslation } from "react-i18next";
import type { FormControl } from "../../components/form/use-form.ts";
import { ImageField } from "../../components/image-field.tsx";
import type { SensorValues } from "./sensor-values.ts";

interface SensorPhotoProps {
  sensor: SensorInfo;
  form: FormControl<SensorValues>;
  disabled?: boolean;
}

/** Show the stored photo of a sensor and let the user replace it. */
export function SensorPhoto({ sensor, form, disabled = false }: SensorPhotoProps) {
  const { t } = useTranslation("devices");
  return (
    <ImageField
      label={t("edit.photo")}
      value={form.values.image}
      current={sensor.imagePath}
      error={form.error("image")}
      disabled={disabled}
      onChange={(image) => form.set("image", image)}
    />
  );
}
