import { Box, Button, chakra, Flex, Text } from "@chakra-ui/react";
import type { FieldSpec } from "@mulkko/shared/catalogue/device-type";
import { createApiTimeZone } from "@mulkko/shared/rules/api-time";
import { useMutation } from "@tanstack/react-query";
import type { TFunction } from "i18next";
import { ChartLineIcon, Settings2Icon } from "lucide-react";
import { useMemo, useState } from "react";
import { useTranslation } from "react-i18next";
import { Navigate, useSearchParams } from "react-router-dom";
import { ChoiceSegments } from "../../components/choice.tsx";
import { SearchBox } from "../../components/field.tsx";
import { IconLink } from "../../components/icon-button.tsx";
import { BackLink, PageHeading } from "../../components/page-heading.tsx";
import { Skeleton } from "../../components/skeleton.tsx";
import { DataTable, type TableColumn } from "../../components/table.tsx";
import { useTableAddress } from "../../components/table-address.ts";
import { sortRows } from "../../components/table-model.ts";
import { UntilKnown } from "../../domain/farm/UntilKnown.tsx";
import { writeSheet } from "../../domain/log/export/write-workbook.ts";
import { LiveMark, LiveReading } from "../../domain/reading/LiveReading.tsx";
import { firmwareOf } from "../../domain/reading/reading.ts";
import { useTimeTexts } from "../../domain/time/use-time-texts.ts";
import { OwnLink } from "../../domain/view-as/OwnLink.tsx";
import { type Labels, useLabels } from "../../i18n/labels.ts";
import { useFirstSync, useLivePart } from "../../live/hooks.ts";
import {
  foundRows,
  measuredColumns,
  PAGE_SIZE,
  type SensorRow,
  tableOf,
  tableSheet,
  useTableRows,
  useTables,
} from "./model.ts";

/** Return the columns of a type: sensor, measurements, firmware, Live, Time, Actions. Cells are live. */
function tableColumns(
  fields: readonly FieldSpec[],
  t: TFunction<["sensor-table", "common"]>,
  labels: Labels,
): TableColumn<SensorRow>[] {
  return [
    { key: "name", head: t("name"), cell: ({ name }) => name, sort: ({ name }) => name },
    {
      key: "serial",
      head: t("common:field.serial"),
      cell: ({ serial }) => serial,
      sort: ({ serial }) => serial,
    },
    ...fields.map(
      (field): TableColumn<SensorRow> => ({
        key: field.name,
        head: labels.field(field.name),
        cell: ({ id }) => <LiveReading id={id} field={field} where="log" size="body" />,
        sort: ({ values }) => values[field.name] ?? null,
        numeric: true,
      }),
    ),
    {
      key: "fwversion",
      head: t("common:field.fwversion"),
      cell: ({ id }) => <FirmwareCell id={id} />,
      sort: ({ firmware }) => firmware,
    },
    {
      key: "live",
      head: t("live"),
      cell: ({ id }) => <LiveMark id={id} texts />,
      sort: ({ shownAt }) => (shownAt === null ? null : Date.parse(shownAt)),
    },
    {
      key: "at",
      head: t("common:field.createdDate"),
      cell: ({ id }) => <TimeCell id={id} />,
      sort: ({ at }) => (at === null ? null : Date.parse(at)),
    },
    { key: "actions", head: t("actions"), cell: (row) => <ActionsCell row={row} /> },
  ];
}

function FirmwareCell({ id }: { id: string }) {
  return useLivePart("sensor", id, (sensor) => (sensor ? firmwareOf(sensor.reading) : null));
}

/** Show the time of the newest measurement in the account's time zone, and if the device's clock is wrong. */
function TimeCell({ id }: { id: string }) {
  const { t } = useTranslation("common");
  const texts = useTimeTexts();
  const at = useLivePart("sensor", id, (sensor) => sensor?.at ?? null);
  const since = useLivePart("sensor", id, (sensor) => sensor?.clockWrongSince ?? null);
  if (at === null) return "--";
  return (
    <>
      {texts.dayTime(Date.parse(at))}
      {since !== null && (
        <Text color="fg.muted" fontSize="caption">
          {t("clockFault.since", { time: texts.dayTime(Date.parse(since)) })}
        </Text>
      )}
    </>
  );
}

function ActionsCell({ row }: { row: SensorRow }) {
  const { t } = useTranslation("sensor-table");
  const { id, name, deviceType } = row;
  const query = new URLSearchParams({ id, deviceType });
  return (
    <chakra.span display="inline-flex" my="-1.5" css={{ "& > a:not(:hover)": { color: "fg.muted" } }}>
      <IconLink to={`/sensors/type?${query}`} label={t("chart", { name })}>
        <ChartLineIcon size={20} />
      </IconLink>
      <IconLink
        component={OwnLink}
        to={`/sensors/edit?id=${encodeURIComponent(id)}`}
        label={t("edit", { name })}
      >
        <Settings2Icon size={20} />
      </IconLink>
    </chakra.span>
  );
}

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
  const { zone } = useTimeTexts();
  const [, setParams] = useSearchParams();
  const { page, sort, onPage, onSort } = useTableAddress();
  const [text, setText] = useState("");
  const { type, rows } = useTableRows(name, `${page} ${sort?.key} ${sort?.descending}`);
  const known = useFirstSync() === "done";
  const fields = useMemo(() => measuredColumns(type), [type]);
  const columns = useMemo(() => tableColumns(fields, t, labels), [fields, t, labels]);
  const found = foundRows(rows, text);
  const download = useMutation({
    mutationFn() {
      const sortBy = columns.find(({ key }) => key === sort?.key)?.sort;
      const sorted = sort && sortBy ? sortRows(found, sortBy, sort.descending) : found;
      const { toApi } = createApiTimeZone(zone);
      return writeSheet(labels.deviceType(name), tableSheet(fields, sorted, t, labels.field, toApi));
    },
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
            disabled={rows.length === 0 || download.isPending}
            onClick={() => download.mutate()}
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
          <Box position="relative" maxW="full" overflowX="auto">
            <ChoiceSegments
              label={t("types")}
              value={name}
              choices={tables.map((value) => ({ value, label: labels.deviceType(value) }))}
              onChoose={(deviceType) => setParams({ deviceType }, { replace: true })}
            />
          </Box>
        )}
      </Flex>
      {download.isError && (
        <Text mb="4" color="alarm.p1.fg" role="alert">
          {t("downloadFailed")}
        </Text>
      )}
      {rows.length === 0 ? (
        <UntilKnown loading={<Skeleton height="20rem" />}>
          <Nothing>{t("none")}</Nothing>
        </UntilKnown>
      ) : found.length === 0 ? (
        <Nothing>{t("nothingFound")}</Nothing>
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

function Nothing({ children }: { children: string }) {
  return (
    <Text py="8" color="fg.muted" textAlign="center">
      {children}
    </Text>
  );
}
