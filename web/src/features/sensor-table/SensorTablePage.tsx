import { Button } from "@chakra-ui/react";
import { useMemo, useState } from "react";
import { Navigate, useSearchParams } from "react-router-dom";
import { ChoiceSegments } from "../../components/choice.tsx";
import { SearchBox } from "../../components/field.tsx";
import { UntilKnown } from "../../farm/UntilKnown.tsx";
import { useLabels } from "../../i18n/labels.ts";
import { useTranslation } from "../../i18n/use-translation.ts";
import { useFirstSync } from "../../live/hooks.ts";
import { Skeleton } from "../../ui/feedback/skeleton.tsx";
import { BackLink } from "../../ui/layout/back-link.tsx";
import { PageHeading } from "../../ui/layout/page-heading.tsx";
import { DataTable } from "../../ui/table/data-table.tsx";
import { sortRows } from "../../ui/table/table-model.ts";
import { useTableAddress } from "../../ui/table/use-table-address.ts";
import { foundRows, measuredColumns, PAGE_SIZE, tableOf } from "./model.ts";
import { tableColumns } from "./table-columns.tsx";
import { useDownload } from "./use-download.ts";
import { useTableRows, useTables } from "./use-table-rows.ts";
import "./sensor-table.css";

/**
 * `/sensors/datalist?deviceType=`: live table of all sensors of one type and of types with the same columns,
 * 50 a page.
 */
export function SensorTablePage() {
  const [params] = useSearchParams();
  const asked = params.get("deviceType");
  const tables = useTables(asked ?? "");
  if (asked === null || asked === "") return <Navigate to="/sensors" replace />;
  const own = tableOf(asked);
  const name = tables.includes(own) ? own : (tables[0] ?? own);
  return <TypeTable key={name} name={name} tables={tables} />;
}

function TypeTable({ name, tables }: { name: string; tables: readonly string[] }) {
  const { t } = useTranslation(["sensor-table", "common"]);
  const labels = useLabels();
  const [, setParams] = useSearchParams();
  const { page, sort, onPage, onSort } = useTableAddress();
  const [text, setText] = useState("");
  const { type, rows } = useTableRows(name, `${page} ${sort?.key} ${sort?.descending}`);
  const known = useFirstSync() === "done";
  const fields = useMemo(() => measuredColumns(type), [type]);
  const columns = useMemo(() => tableColumns(fields, labels, t), [fields, labels, t]);
  const found = foundRows(rows, text);
  const download = useDownload(labels.deviceType(name), fields, () => {
    const sortBy = columns.find(({ key }) => key === sort?.key)?.sort;
    return sort && sortBy ? sortRows(found, sortBy, sort.descending) : found;
  });
  return (
    <>
      <PageHeading
        lead={<BackLink to={`/sensors/type?deviceType=${encodeURIComponent(name)}`} />}
        title={labels.deviceType(name)}
        note={rows.length > 0 || known ? t("count", { count: rows.length }) : undefined}
        actions={
          <Button
            size="sm"
            variant="outline"
            disabled={rows.length === 0 || download.busy}
            onClick={download.run}
          >
            {t("download")}
          </Button>
        }
      />
      <div className="sensor-table__tools">
        <SearchBox
          label={t("search")}
          text={text}
          onText={(next) => {
            setText(next);
            if (page !== 1) onPage(1);
          }}
        />
        {tables.length > 1 && (
          <div className="sensor-table__types">
            <ChoiceSegments
              label={t("types")}
              value={name}
              choices={tables.map((value) => ({ value, label: labels.deviceType(value) }))}
              onChoose={(deviceType) => setParams({ deviceType }, { replace: true })}
            />
          </div>
        )}
      </div>
      {download.failed && (
        <p className="sensor-table__failed" role="alert">
          {t("downloadFailed")}
        </p>
      )}
      {rows.length === 0 ? (
        <UntilKnown loading={<Skeleton height="20rem" />}>
          <p className="sensor-table__none">{t("none")}</p>
        </UntilKnown>
      ) : found.length === 0 ? (
        <p className="sensor-table__none">{t("nothingFound")}</p>
      ) : (
        <DataTable
          label={labels.deviceType(name)}
          columns={columns}
          rows={found}
          keyOf={({ id }) => id}
          page={page}
          pageSize={PAGE_SIZE}
          onPage={onPage}
          sort={sort}
          onSort={onSort}
        />
      )}
    </>
  );
}
