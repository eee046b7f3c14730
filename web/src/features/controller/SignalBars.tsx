import { Text } from "@chakra-ui/react";
import { useTranslation } from "react-i18next";
import { signalBars } from "./signal-bars.ts";

const HEIGHTS = [5, 9, 13, 17];

/** Signal strength as four bars with its dBm value. */
export function SignalBars({ rssi }: { rssi: number | null }) {
  const { t } = useTranslation("common");
  const bars = signalBars(rssi);
  return (
    <Text
      as="span"
      display="inline-flex"
      alignItems="center"
      gap="0.4rem"
      fontSize="caption"
      css={{
        "& rect": { fill: "var(--mk-colors-border)" },
        "& rect[data-on]": { fill: "var(--mk-colors-fg-muted)" },
      }}
      title={t("field.rssi")}
    >
      <svg viewBox="0 0 22 18" width="22" height="18" aria-hidden>
        {HEIGHTS.map((height, index) => (
          <rect
            key={height}
            x={index * 6}
            y={18 - height}
            width="4"
            height={height}
            rx="1"
            data-on={index < bars || undefined}
          />
        ))}
      </svg>
      <span className="visually-hidden">{t("field.rssi")}</span>
      {rssi === null ? "--" : `${Math.round(rssi)} dBm`}
    </Text>
  );
}
