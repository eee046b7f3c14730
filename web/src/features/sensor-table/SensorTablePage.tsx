import { Box, Button, Flex, Text } from "@chakra-ui/react";
import { useMemo, useState } from "react";
import { useTranslation } from "react-i18next";
import { Navigate, useSearchParams } from "react-router-dom";
import { ChoiceSegments } from "../../components/choice.tsx";
import { SearchBox } from "../../components/field.tsx";
import { BackLink, PageHeading } from "../../components/page-heading.tsx";
import { Skeleton } from "../../components/skeleton.tsx";
import { DataTable } from "../../components/table.tsx";
import { useTableAddress } from "../../components/table-address.ts";
import { sortRows } from "../../components/table-model.ts";
import { UntilKnown } from "../../domain/farm/UntilKnown.tsx";
import { useLabels } from "../../i18n/labels.ts";
import { useFirstSync } from "../../live/hooks.ts";
import { foundRows, measuredColumns, PAGE_SIZE, tableOf } from "./model.ts";
import { tableColumns } from "./table-columns.tsx";
import { useDownload } from "./use-download.ts";
import { useTableRows, useTables } from "./use-table-rows.ts";

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
      <Flex align="center" wrap="wrap" rowGap="2" columnGap="3" mb="4">
        <SearchBox
          label={t("search")}
          text={text}
          onText={(next) => {
            setText(next);
            if (page !== 1) onPage(1);
          }}
        />
        {tables.length > 1 && (
          <Box maxW="full" overflowX="auto">
            <ChoiceSegments
              label={t("types")}
              value={name}
              choices={tables.map((value) => ({ value, label: labels.deviceType(value) }))}
              onChoose={(deviceType) => setParams({ deviceType }, { replace: true })}
            />
          </Box>
        )}
      </Flex>
      {download.failed && (
        <Text mb="4" color="alarm.p1.fg" role="alert">
          {t("downloadFailed")}
        </Text>
      )}
      {rows.length === 0 ? (
        <UntilKnown loading={<Skeleton height="20rem" />}>
          <Text py="8" px="0" color="fg.muted" textAlign="center">
            {t("none")}
          </Text>
        </UntilKnown>
      ) : found.length === 0 ? (
        <Text py="8" px="0" color="fg.muted" textAlign="center">
          {t("nothingFound")}
        </Text>
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
