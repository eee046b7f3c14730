import { Button, chakra, Text } from "@chakra-ui/react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Card } from "../../components/card.tsx";
import { TextLink } from "../../components/text-link.tsx";
import { HIDDEN_KEY, useFirstSteps } from "./first-steps.ts";

const STEPS = [
  ["farm", "/farmadd"],
  ["sensor", "/listadd"],
  ["valve", "/cotadd"],
] as const;

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
  // The next one.
  "&[aria-current]": { fontWeight: "semibold" },
  "&[aria-current] > span:first-of-type": { borderColor: "fg" },
  "&[data-done] > span:first-of-type": { bg: "fg", borderColor: "fg", color: "bg.panel" },
};

/** The way from an empty account to the first valve, with a tick for each step that is done (FIRST-1). */
export function FirstSteps() {
  const { t } = useTranslation("dashboard");
  const done = useFirstSteps();
  const [isHidden, setHidden] = useState(false);
  if (isHidden || done === null) return null;
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
