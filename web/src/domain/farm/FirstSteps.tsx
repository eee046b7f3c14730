import { Button, chakra, Text } from "@chakra-ui/react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { shallow } from "zustand/shallow";
import { useReadOnly } from "../../api/hooks.ts";
import { Card } from "../../components/card.tsx";
import { TextLink } from "../../components/text-link.tsx";
import { type LiveFarm, useKnowledge, useLiveSelection } from "../../live/hooks.ts";

/** Local storage key, set once the user has hidden the steps in this browser. */
const HIDDEN_KEY = "mulkko.first-steps";

const STEPS = [
  ["farm", "/farmadd"],
  ["sensor", "/listadd"],
  ["valve", "/cotadd"],
] as const;
const KINDS = ["farm", "sensor", "channel"] as const;

/** Return which of the steps are done: farm, sensor, valve. */
const doneSteps = ({
  farms,
  sensors,
  channels,
}: Pick<LiveFarm, "farms" | "sensors" | "channels">): readonly boolean[] => [
  farms.size > 0,
  sensors.size > 0,
  channels.size > 0,
];

const STEP = {
  display: "flex",
  alignItems: "center",
  gap: "3",
  minH: "12",
  px: "card",
  borderTopWidth: "1px",
  "& > span:first-of-type": {
    display: "grid",
    placeItems: "center",
    flex: "none",
    boxSize: "7",
    borderWidth: "2px",
    borderColor: "border.strong",
    rounded: "full",
    fontWeight: "semibold",
  },
  "&[data-done] > span:first-of-type": { bg: "fg", borderColor: "fg", color: "bg.panel" },
};

/** The way from an empty account to the first valve, with a tick for each step that is done (FIRST-1). */
export function FirstSteps() {
  const { t } = useTranslation("dashboard");
  const readOnly = useReadOnly();
  const { known } = useKnowledge();
  const done = useLiveSelection(KINDS, doneSteps, shallow);
  const [isHidden, setHidden] = useState(() => localStorage.getItem(HIDDEN_KEY) !== null);
  if (!known || readOnly || isHidden || done.every(Boolean)) return null;
  const hide = () => {
    localStorage.setItem(HIDDEN_KEY, "hidden");
    setHidden(true);
  };
  const next = done.indexOf(false);
  return (
    <Card
      flush
      title={t("steps.title")}
      aside={
        <Button size="sm" variant="ghost" onClick={hide}>
          {t("steps.hide")}
        </Button>
      }
    >
      <ol>
        {STEPS.map(([name, to], index) => (
          <chakra.li
            key={name}
            css={STEP}
            data-done={done[index] || undefined}
            data-testid="first-step"
            aria-current={index === next ? "step" : undefined}
          >
            {done[index] ? (
              <span role="img" aria-label={t("steps.done")}>
                ✓
              </span>
            ) : (
              <span>{index + 1}</span>
            )}
            {done[index] ? (
              <Text as="span" color="fg.muted">
                {t(`steps.${name}`)}
              </Text>
            ) : (
              <TextLink to={to}>{t(`steps.${name}`)}</TextLink>
            )}
          </chakra.li>
        ))}
      </ol>
    </Card>
  );
}
