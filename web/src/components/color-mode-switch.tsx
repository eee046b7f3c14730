import { MonitorIcon, MoonIcon, SunIcon } from "lucide-react";
import { useTranslation } from "react-i18next";
import { chooseColorMode, useColorMode } from "../theme/color-mode.ts";
import { ChoiceSegments } from "./choice.tsx";

/** Select light, dark or the device's setting. */
export function ColorModeSwitch() {
  const { t } = useTranslation("common");
  const { choice } = useColorMode();
  return (
    <ChoiceSegments
      label={t("colorMode.title")}
      value={choice}
      onChoose={chooseColorMode}
      choices={[
        { value: "light", label: <Labelled icon={<SunIcon />} word={t("colorMode.light")} /> },
        { value: "dark", label: <Labelled icon={<MoonIcon />} word={t("colorMode.dark")} /> },
        { value: "system", label: <Labelled icon={<MonitorIcon />} word={t("colorMode.system")} /> },
      ]}
    />
  );
}

function Labelled({ icon, word }: { icon: React.ReactNode; word: string }) {
  return (
    <span style={{ display: "inline-flex", alignItems: "center", gap: "0.4em", verticalAlign: "middle" }}>
      {icon}
      {word}
    </span>
  );
}
