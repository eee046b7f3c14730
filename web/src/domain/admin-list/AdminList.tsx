import { Button, Flex } from "@chakra-ui/react";
import { PlusIcon, TrashIcon } from "lucide-react";
import { type ReactNode, useEffect } from "react";
import { useTranslation } from "react-i18next";
import { Link, type To } from "react-router-dom";
import type { RestClient } from "../../api/client.ts";
import { useFailureTexts } from "../../api/error-texts.ts";
import { useClaim } from "../../api/knowledge.ts";
import { ErrorNote } from "../../components/alerts.tsx";
import { PageHeading } from "../../components/page-heading.tsx";
import { Skeleton } from "../../components/skeleton.tsx";
import { DataTable, type TableColumn } from "../../components/table.tsx";
import { type ListAddress, PAGE_SIZES } from "../../components/table-address.ts";
import { toaster } from "../../components/toaster.tsx";
import {
  type AfterPress,
  type ChosenRows,
  eachByItself,
  type Identified,
  useChosenRows,
} from "./chosen-rows.ts";
import { DeletionDialog, type DeletionTexts, useBulkDeletion } from "./DeletionDialog.tsx";
import { ListPage, ListTools, NoneFound } from "./ListTools.tsx";
import type { FoundRows } from "./use-found-rows.ts";

/** Translated texts of a list. */
interface ListTexts {
  readonly title: string;
  readonly count: (count: number) => string;
  /** Label of the search field. */
  readonly search: string;
  readonly add: string;
  /** Replaces an empty list, with separate texts for a searched or filtered one. */
  readonly none: string;
  readonly nothingFound: string;
}

interface AdminListProps<Row extends Identified> {
  texts: ListTexts;
  address: ListAddress;
  found: FoundRows<Row>;
  /** The first column names the row. */
  columns: readonly TableColumn<Row>[];
  /** Accessible name of the row's checkbox. */
  nameOf: (row: Row) => string;
  onOpen: (row: Row) => void;
  /** Page that adds a row, and the navigation state passed to it. */
  add: { readonly to: To; readonly state?: unknown };
  /** Derive the selection after a checkbox is clicked; by default each row is selected on its own. */
  afterPress?: AfterPress<Row>;
  deletion: {
    readonly remove: (rest: RestClient, id: string) => Promise<void>;
    /** Name of a row in the confirmation and in the results. */
    readonly nameOf: (row: Row) => string;
    /** Rows that are never deleted from the list, even if selected, and the text that explains why. */
    readonly spared?: { readonly is: (row: Row) => boolean; readonly note: string };
    readonly texts: (chosen: ChosenRows<Row>) => DeletionTexts;
  };
  /** Filters beside the search. @param address changing it clears the selection */
  tools?: (address: ListAddress) => ReactNode;
}

/**
 * List all rows of one kind over all accounts, with search, sorting, detail links and bulk deletion. The page
 * loads the translations of `admin`.
 */
export function AdminList<Row extends Identified>(props: AdminListProps<Row>) {
  const { texts, address, found, columns, nameOf, onOpen, add, afterPress = eachByItself, tools } = props;
  const { t } = useTranslation(["admin", "common"]);
  const failureTexts = useFailureTexts();
  const { rows, total, failure, again } = found;
  const claim = useClaim({ data: rows, error: failure });
  const { chosen, keys, press, pressEvery, chooseNone, drop } = useChosenRows(found, afterPress);
  const deletion = useBulkDeletion(props.deletion.remove, (gone) => {
    drop(gone);
    again();
  });
  const { spared } = props.deletion;
  const meant = spared ? new Map([...chosen].filter(([, row]) => !spared.is(row))) : chosen;
  const note = meant.size < chosen.size ? spared?.note : undefined;
  const onScreen = new Set((rows ?? []).map(({ id }) => `${id}`));
  const elsewhere = [...meant.keys()].filter((id) => !onScreen.has(id)).length;
  const chosenElsewhere = [...chosen.keys()].filter((id) => !onScreen.has(id)).length;
  const remove = () => {
    if (meant.size === 0) toaster.create({ type: "info", title: note ?? t("admin:selectSome") });
    else deletion.ask([...meant].map(([id, row]) => ({ id, name: props.deletion.nameOf(row) })));
  };
  const { sort, onSort } = address;
  const isOrdered = sort === null || columns.some((column) => column.sort && column.key === sort.key);
  // biome-ignore lint/correctness/useExhaustiveDependencies: `onSort` is a new function on every render
  useEffect(() => {
    // A foreign address can name an order that does not exist; the API then refuses it.
    if (failure !== null && !isOrdered) onSort(null);
  }, [failure, isOrdered]);
  // The selection consists of search results, so a different search clears it.
  const clearingAddress: ListAddress = {
    ...address,
    onText(text) {
      chooseNone();
      address.onText(text);
    },
    onFilter(name, value) {
      chooseNone();
      address.onFilter(name, value);
    },
  };
  return (
    <ListPage>
      <PageHeading
        mb="0"
        title={texts.title}
        note={rows === null ? undefined : texts.count(total ?? rows.length)}
        actions={
          <>
            <Button variant="outline" colorPalette="red" onClick={remove}>
              <TrashIcon />
              {t("common:action.delete")}
            </Button>
            <Button asChild>
              <Link {...add}>
                <PlusIcon />
                {texts.add}
              </Link>
            </Button>
          </>
        }
      />
      <ListTools search={texts.search} address={clearingAddress}>
        {tools?.(clearingAddress)}
        {chosen.size > 0 && (
          <Flex as="p" align="center" gap="2" role="status">
            {t("admin:chosen", { count: chosen.size })}
            {chosenElsewhere > 0 && ` · ${t("admin:chosenElsewhere", { count: chosenElsewhere })}`}
            <Button size="sm" variant="ghost" onClick={chooseNone}>
              {t("admin:chooseNone")}
            </Button>
          </Flex>
        )}
      </ListTools>
      {failure !== null && <ErrorNote retry={again}>{failureTexts(failure)}</ErrorNote>}
      {rows === null ? (
        failure === null && <Skeleton height="22rem" />
      ) : rows.length === 0 && (total ?? 0) === 0 ? (
        <NoneFound>{claim(found.narrowed ? texts.nothingFound : texts.none)}</NoneFound>
      ) : (
        <DataTable
          label={texts.title}
          columns={columns}
          rows={rows}
          {...(total === undefined ? {} : { total })}
          keyOf={({ id }) => `${id}`}
          nameOf={nameOf}
          page={address.page}
          pageSize={address.size}
          onPage={address.onPage}
          sizes={PAGE_SIZES}
          onSize={address.onSize}
          sort={address.sort}
          onSort={address.onSort}
          selected={keys}
          onSelect={press}
          onSelectEvery={pressEvery}
          onOpen={onOpen}
        />
      )}
      <DeletionDialog
        deletion={deletion}
        note={note}
        elsewhere={elsewhere}
        {...props.deletion.texts(meant)}
      />
    </ListPage>
  );
}
