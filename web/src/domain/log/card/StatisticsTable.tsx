import { Box } from "@chakra-ui/react";
import type { FieldSpec } from "@mulkko/shared/catalogue/device-type";
import type { FieldStatistics } from "@mulkko/shared/rest/log";
import { formatStatistic, MISSING, type NumberFormat } from "@mulkko/shared/rules/format";
import { useTranslation } from "react-i18next";
import { useSurface } from "../../../theme/use-surface.ts";
import { fieldFormat } from "../../reading/reading.ts";

/** Line of a chart, as a column of the table. */
export interface StatisticsColumn {
  readonly id: string;
  readonly label: string;
  readonly field: FieldSpec;
}

export interface StatisticsTableProps {
  columns: readonly StatisticsColumn[];
  /** By column id; null while loading. */
  statistics: Readonly<Record<string, FieldStatistics>> | null;
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
  const text = ({ id, field }: StatisticsColumn, key: RowKey): string => {
    if (statistics === null) return MISSING;
    const format = fieldFormat(field, "log");
    const { variance = null, ...others } = statistics[id] ?? { max: null, min: null, avg: null };
    if (key === "variance") return formatStatistic(variance, squared(format));
    if (key === "deviation") return formatStatistic(variance === null ? null : Math.sqrt(variance), format);
    return formatStatistic(others[key], format);
  };
  const [only, more] = columns;
  if (only !== undefined && more === undefined) {
    return (
      <dl className="statistics-line" data-testid="statistics">
        {ROWS.map(([key, word]) => (
          <div key={key}>
            <dt>{t(`statistic.${word}`)}</dt>
            <dd>{text(only, key)}</dd>
          </div>
        ))}
      </dl>
    );
  }
  const name = ({ label, field: { unit } }: StatisticsColumn) => (
    <>
      {label}
      {unit !== "" && <span> {unit}</span>}
    </>
  );
  return (
    // Not a landmark, because a page has many of these
    <Box
      role="group"
      mt="3"
      overflowX="auto"
      css={{
        mdDown: { "& :is(th, td)": { px: "1.5" }, '& th[scope="row"]': { whiteSpace: "normal" } },
        "& table": { w: "full", borderCollapse: "collapse" },
        "& th": {
          py: "0.4rem",
          px: "3",
          borderTopWidth: "1px",
          textAlign: "end",
          whiteSpace: "nowrap",
          color: "fg.muted",
          fontSize: "caption",
          fontWeight: "medium",
        },
        "& td": { py: "0.4rem", px: "3", borderTopWidth: "1px", textAlign: "end", whiteSpace: "nowrap" },
        "& thead th": { borderTopWidth: "0" },
        "& thead td": { borderTopWidth: "0" },
        '& th[scope="row"]': { textAlign: "start" },
        "& th span": { color: "fg.subtle" },
      }}
      aria-label={columns.map(({ label }) => label).join(", ")}
      // The keyboard must reach a scrollable element
      tabIndex={0}
    >
      {phone ? (
        // Long names side by side would exceed a phone's width.
        <table>
          <thead>
            <tr>
              <td />
              {ROWS.map(([key, word]) => (
                <th key={key} scope="col">
                  {t(`statistic.${word}`)}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {columns.map((column) => (
              <tr key={column.id}>
                <th scope="row">{name(column)}</th>
                {ROWS.map(([key]) => (
                  <td key={key}>{text(column, key)}</td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      ) : (
        <table>
          <thead>
            <tr>
              <td />
              {columns.map((column) => (
                <th key={column.id} scope="col">
                  {name(column)}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {ROWS.map(([key, word]) => (
              <tr key={key}>
                <th scope="row">{t(`statistic.${word}`)}</th>
                {columns.map((column) => (
                  <td key={column.id}>{text(column, key)}</td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </Box>
  );
}
