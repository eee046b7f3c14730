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
              {fields.map((name) => {
                const format = fieldFormat(fieldOf(type, name), "log");
                return (
                  <td key={name}>
                    {formatStatistic(statistics[name]?.[key], key === "variance" ? squared(format) : format)}
                  </td>
                );
              })}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
