import { Button, Stack, Text } from "@chakra-ui/react";
import { useTranslation } from "react-i18next";
import { Card } from "./card.tsx";
import type { ChoiceSegmentsProps } from "./choice.tsx";
import { ChoiceSegments } from "./choice.tsx";
import { DEFAULT_LAYOUT, LAYOUT_CHOICES, useLayout } from "./layout-choice.ts";

/** Card with the frame's layout options and their current values. Uses the translations of `layout`. */
export function LayoutSettings() {
  const { t } = useTranslation("layout");
  const { layout, choose } = useLayout();
  const isDefault = JSON.stringify(layout) === JSON.stringify(DEFAULT_LAYOUT);
  return (
    <Card title={t("title")}>
      <Stack align="start" gap="3.5">
        <Part
          label={t("type.title")}
          value={layout.type}
          choices={LAYOUT_CHOICES.type.map((value) => ({ value, label: t(`type.${value}`) }))}
          onChoose={(type) => choose({ type })}
        />
        <Part
          label={t("width.title")}
          value={layout.width}
          choices={LAYOUT_CHOICES.width.map((value) => ({ value, label: t(`width.${value}`) }))}
          onChoose={(width) => choose({ width })}
        />
        <Part
          label={t("header.title")}
          value={layout.header}
          choices={LAYOUT_CHOICES.header.map((value) => ({ value, label: t(`header.${value}`) }))}
          onChoose={(header) => choose({ header })}
        />
        {layout.type === "vertical" && (
          <Part
            label={t("sidebar.title")}
            value={layout.sidebar}
            choices={LAYOUT_CHOICES.sidebar.map((value) => ({ value, label: t(`sidebar.${value}`) }))}
            onChoose={(sidebar) => choose({ sidebar })}
          />
        )}
        <Part
          label={t("sidebarTheme.title")}
          value={layout.sidebarTheme}
          choices={LAYOUT_CHOICES.sidebarTheme.map((value) => ({ value, label: t(`sidebarTheme.${value}`) }))}
          onChoose={(sidebarTheme) => choose({ sidebarTheme })}
        />
        <Part
          label={t("topbar.title")}
          value={layout.topbar}
          choices={LAYOUT_CHOICES.topbar.map((value) => ({ value, label: t(`topbar.${value}`) }))}
          onChoose={(topbar) => choose({ topbar })}
        />
        {!isDefault && (
          <Button size="sm" variant="outline" onClick={() => choose(null)}>
            {t("reset")}
          </Button>
        )}
      </Stack>
    </Card>
  );
}

function Part<Value extends string>(props: ChoiceSegmentsProps<Value> & { label: string }) {
  return (
    <Stack gap="1.5">
      <Text textStyle="label" color="fg.muted" aria-hidden>
        {props.label}
      </Text>
      <ChoiceSegments {...props} />
    </Stack>
  );
}
