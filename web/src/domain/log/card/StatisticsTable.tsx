import { chakra, Flex, Text } from "@chakra-ui/react";
import type { FieldStatistics } from "@mulkko/shared/rest/log";
import { formatStatistic, MISSING, type NumberFormat } from "@mulkko/shared/rules/format";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { DataTable } from "../../../components/table.tsx";
import { useSurface } from "../../../theme/use-surface.ts";
import { fieldFormat } from "../../reading/reading.ts";
import type { LabelledLine } from "../export/card-files.ts";

interface StatisticsTableProps {
  columns: readonly LabelledLine[];
  /** By column id; null while loading. */
  statistics: Readonly<Record<string, FieldStatistics>> | null;
}

/** Heading of a row or column. */
interface Heading {
  readonly key: string;
  readonly head: ReactNode;
}

const ROWS = [
  ["max", "max"],
  ["min", "min"],
  ["avg", "avg"],
  ["variance", "variation"],
  ["deviation", "deviation"],
] as const;

type RowKey = (typeof ROWS)[number][0];

/** A variance is in squared units. */
const squared = (format: NumberFormat): NumberFormat =>
  format.scale === undefined ? format : { ...format, scale: format.scale ** 2 };

/** Show maximum, minimum, mean, variance and standard deviation of each line over the raw rows of the range. */
export function StatisticsTable({ columns, statistics }: StatisticsTableProps) {
  const { t } = useTranslation("common");
  const phone = useSurface() === "phone";
  const text = ({ id, field }: LabelledLine, key: RowKey): string => {
    if (statistics === null) return MISSING;
    const format = fieldFormat(field, "log");
    const { variance = null, ...others } = statistics[id] ?? { max: null, min: null, avg: null };
    if (key === "variance") return formatStatistic(variance, squared(format));
    if (key === "deviation") return formatStatistic(variance === null ? null : Math.sqrt(variance), format);
    return formatStatistic(others[key], format);
  };
  const headings = ROWS.map(([key, word]) => ({ key, head: t(`statistic.${word}`) }));
  const [only, more] = columns;
  if (only !== undefined && more === undefined) {
    return (
      <chakra.dl
        display={{ base: "grid", md: "flex" }}
        flexWrap="wrap"
        gridTemplateColumns="repeat(auto-fit, minmax(3.5rem, 1fr))"
        columnGap={{ base: "1.5", md: "6" }}
        rowGap={{ base: "1.5", md: "1" }}
        mt="3"
        data-testid="statistics"
      >
        {headings.map(({ key, head }) => (
          <Flex
            key={key}
            gap={{ base: "0", md: "0.4rem" }}
            mdDown={{
              flexDirection: "column",
              px: "0.5",
              py: "1",
              rounded: "card",
              bg: "bg.sunk",
              textAlign: "center",
            }}
          >
            <Text as="dt" color="fg.muted" fontSize={{ mdDown: "caption" }}>
              {head}
            </Text>
            <Text as="dd" fontWeight="semibold">
              {text(only, key)}
            </Text>
          </Flex>
        ))}
      </chakra.dl>
    );
  }
  const lines = columns.map(({ id, label, field: { unit } }) => ({
    key: id,
    head: (
      <>
        {label}
        {unit !== "" && (
          <Text as="span" color="fg.subtle">
            {" "}
            {unit}
          </Text>
        )}
      </>
    ),
  }));
  const cells = new Map(
    columns.flatMap((column) => ROWS.map(([key]) => [`${column.id} ${key}`, text(column, key)])),
  );
  // Long names side by side would exceed a phone's width.
  const [across, down]: readonly [Heading[], Heading[]] = phone ? [headings, lines] : [lines, headings];
  return (
    <DataTable
      bare
      label={columns.map(({ label }) => label).join(", ")}
      rows={down}
      keyOf={({ key }) => key}
      columns={[
        { key: "name", head: null, cell: ({ head }) => head },
        ...across.map(({ key, head }) => ({
          key,
          head,
          numeric: true,
          cell: (row: Heading) => cells.get(phone ? `${row.key} ${key}` : `${key} ${row.key}`),
        })),
      ]}
    />
  );
}
