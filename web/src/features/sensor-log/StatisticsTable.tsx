import type { DeviceType } from "@mulkko/shared/catalogue/device-type";
import { fieldOf } from "@mulkko/shared/catalogue/registry";
import type { FieldStatistics } from "@mulkko/shared/rest/log";
import { formatStatistic, type NumberFormat } from "@mulkko/shared/rules/format";
import { useTranslation } from "react-i18next";
import { fieldFormat } from "../../farm/reading.ts";
import { useLabels } from "../../i18n/labels.ts";

export interface StatisticsTableProps {
  type: DeviceType;
  fields: readonly string[];
  statistics: Readonly<Record<string, FieldStatistics>>;
}

const ROWS = [
  ["max", "max"],
  ["min", "min"],
  ["avg", "avg"],
  ["variance", "variation"],
] as const;

/** A variance is in squared units. */
const squared = (format: NumberFormat): NumberFormat =>
  format.scale === undefined ? format : { ...format, scale: format.scale ** 2 };

/** Largest, smallest, mean and variance of each line over the raw rows of the range. */
export function StatisticsTable({ type, fields, statistics }: StatisticsTableProps) {
  const { t } = useTranslation("common");
  const labels = useLabels();
  const text = (name: string, key: keyof FieldStatistics): string => {
    const format = fieldFormat(fieldOf(type, name), "log");
    return formatStatistic(statistics[name]?.[key], key === "variance" ? squared(format) : format);
  };
  const [only, more] = fields;
  if (only !== undefined && more === undefined) {
    return (
      <dl className="statistics-line">
        {ROWS.map(([key, word]) => (
          <div key={key}>
            <dt>{t(`statistic.${word}`)}</dt>
            <dd>{text(only, key)}</dd>
          </div>
        ))}
      </dl>
    );
  }
  return (
    <div className="statistics">
      <table>
        <thead>
          <tr>
            <td />
            {fields.map((name) => {
              const { unit } = fieldOf(type, name);
              return (
                <th key={name} scope="col">
                  {labels.field(name)}
                  {unit !== "" && <span> {unit}</span>}
                </th>
              );
            })}
          </tr>
        </thead>
        <tbody>
          {ROWS.map(([key, word]) => (
            <tr key={key}>
              <th scope="row">{t(`statistic.${word}`)}</th>
              {fields.map((name) => (
                <td key={name}>{text(name, key)}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
