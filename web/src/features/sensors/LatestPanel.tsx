import { Flex, Heading } from "@chakra-ui/react";
import { useTranslation } from "react-i18next";
import { TextLink } from "../../components/text-link.tsx";
import { LatestBadges } from "../../domain/log/LatestBadges.tsx";
import { useSensor } from "./use-sensor.ts";

/** Show the latest values of the last selected sensor and a link to its log. */
export function LatestPanel({ id }: { id: string }) {
  const { t } = useTranslation("sensors");
  const sensor = useSensor(id);
  if (!sensor) return null;
  return (
    <section aria-label={t("latest", { name: sensor.name })}>
      <Flex align="center" justify="space-between" gap="3">
        <Heading as="h2" minW="0" textStyle="title">
          {sensor.name}
        </Heading>
        <TextLink
          look={{ flex: "none", textStyle: "label" }}
          to={`/sensors/type?id=${encodeURIComponent(id)}`}
        >
          {t("select.done")}
        </TextLink>
      </Flex>
      <LatestBadges id={id} />
    </section>
  );
}
