import { useState } from "react";
import { useLabels } from "../i18n/labels.ts";
import { Card } from "../ui/layout/card.tsx";
import { VirtualRows } from "../ui/list/virtual-rows.tsx";
import { QualityMark } from "../ui/reading/quality-mark.tsx";
import { DataTable, type TableColumn } from "../ui/table/data-table.tsx";
import { useTableAddress } from "../ui/table/use-table-address.ts";

interface House {
  readonly id: string;
  readonly moisture: number | null;
  readonly ageMs: number;
}

const HOUSES: readonly House[] = Array.from({ length: 180 }, (_, index) => ({
  id: `House ${index + 1}`,
  moisture: index % 17 === 3 ? null : 20 + ((index * 37) % 190) / 10,
  ageMs: ((index * 7_919) % 90) * 60_000,
}));

const ROWS = 1_000;
const ROW_PX = 72;

/** Show a table with its pages, and a virtualized list of a thousand rows. */
export function ListSection() {
  const { field } = useLabels();
  const address = useTableAddress();
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set(["House 2"]));
  const columns: readonly TableColumn<House>[] = [
    { key: "name", head: "DataTable", cell: ({ id }) => id, sort: ({ id }) => id },
    ...["moisture", "soilTemperature", "ec", "battery", "n", "p", "k"].map(
      (name): TableColumn<House> => ({
        key: name,
        head: field(name),
        cell: ({ moisture }) => moisture?.toFixed(1) ?? "--",
        sort: ({ moisture }) => moisture,
        numeric: true,
      }),
    ),
    {
      key: "age",
      head: field("createdDate"),
      cell: ({ ageMs }) => <QualityMark quality={ageMs > 3_600_000 ? "late" : "fresh"} ageMs={ageMs} words />,
      sort: ({ ageMs }) => ageMs,
    },
  ];
  return (
    <>
      <DataTable
        label="DataTable"
        columns={columns}
        rows={HOUSES}
        keyOf={({ id }) => id}
        nameOf={({ id }) => id}
        pageSize={20}
        selected={selected}
        onSelect={setSelected}
        {...address}
      />
      <Card title="VirtualRows" flush>
        <VirtualRows
          count={ROWS}
          estimate={ROW_PX}
          keyOf={(index) => `${index}`}
          render={(index) => (
            <div className="gallery__list-row">
              {index + 1} <span>{field("moisture")}</span>
            </div>
          )}
          className="gallery__list"
        />
      </Card>
    </>
  );
}
