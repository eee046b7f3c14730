import { Button } from "@chakra-ui/react";
import { type ReactNode, useEffect } from "react";
import { Link, type To } from "react-router-dom";
import { useTranslation } from "../i18n/use-translation.ts";
import type { RestClient } from "../rest/client.ts";
import { ErrorNote } from "../ui/feedback/error-note.tsx";
import { Skeleton } from "../ui/feedback/skeleton.tsx";
import { toaster } from "../ui/feedback/toaster.tsx";
import { useFailureWords } from "../ui/feedback/use-error-words.ts";
import { PlusIcon, TrashIcon } from "../ui/icon/icons.tsx";
import { PageHeading } from "../ui/layout/page-heading.tsx";
import { DataTable, type TableColumn } from "../ui/table/data-table.tsx";
import { type ListAddress, PAGE_SIZES } from "../ui/table/use-list-address.ts";
import { type AfterPress, type ChosenRows, eachByItself, type Identified } from "./chosen-rows.ts";
import { DeletionDialog, type DeletionWords } from "./DeletionDialog.tsx";
import { ListTools } from "./ListTools.tsx";
import { useBulkDeletion } from "./use-bulk-deletion.ts";
import { useChosenRows } from "./use-chosen-rows.ts";
import type { FoundRows } from "./use-found-rows.ts";
import "./admin-list.css";

/** What a list says of itself. */
interface ListWords {
  readonly title: string;
  readonly count: (count: number) => string;
  /** What can be searched for. */
  readonly search: string;
  readonly add: string;
  /** Stands in place of an empty list; of one that was searched or narrowed down. */
  readonly none: string;
  readonly nothingFound: string;
}

interface AdminListProps<Row extends Identified> {
  words: ListWords;
  address: ListAddress;
  found: FoundRows<Row>;
  /** The first one names the row. */
  columns: readonly TableColumn<Row>[];
  /** What a row is called at its box. */
  nameOf: (row: Row) => string;
  onOpen: (row: Row) => void;
  /** Where one is added, and what that page is told of this one. */
  add: { readonly to: To; readonly state?: unknown };
  /** What a press on a box makes of the choice; by itself each row is chosen alone. */
  afterPress?: AfterPress<Row>;
  deletion: {
    readonly remove: (rest: RestClient, id: string) => Promise<void>;
    /** What a row is called in the question and among the results. */
    readonly nameOf: (row: Row) => string;
    /** What is never deleted from a list, though every row be chosen, and the words for why. */
    readonly spared?: { readonly is: (row: Row) => boolean; readonly note: string };
    readonly words: (chosen: ChosenRows<Row>) => DeletionWords;
  };
  /** What else narrows the list down, beside the search. @param address lets go of what is chosen */
  tools?: (address: ListAddress) => ReactNode;
}

/**
 * All of something over all accounts: searched, put in order, opened, and deleted several at a time. The page speaks
 * the words of `admin`.
 */
export function AdminList<Row extends Identified>(props: AdminListProps<Row>) {
  const { words, address, found, columns, nameOf, onOpen, add, afterPress = eachByItself, tools } = props;
  const { t } = useTranslation(["admin", "common"]);
  const failureWords = useFailureWords();
  const { rows, total, failure, again } = found;
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
  // biome-ignore lint/correctness/useExhaustiveDependencies: `onSort` is made anew at every drawing
  useEffect(() => {
    // An address from elsewhere names an order that there is not, and the API refuses it.
    if (failure !== null && !isOrdered) onSort(null);
  }, [failure, isOrdered]);
  // What is chosen is what was found: a search for something else begins anew.
  const anew: ListAddress = {
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
    <div className="admin-list">
      <PageHeading
        title={words.title}
        note={rows === null ? undefined : words.count(total ?? rows.length)}
        actions={
          <>
            <Button variant="outline" colorPalette="red" onClick={remove}>
              <TrashIcon />
              {t("common:action.delete")}
            </Button>
            <Button asChild>
              <Link {...add}>
                <PlusIcon />
                {words.add}
              </Link>
            </Button>
          </>
        }
      />
      <ListTools
        search={words.search}
        text={address.text}
        onText={anew.onText}
        chosen={chosen.size}
        elsewhere={chosenElsewhere}
        onChooseNone={chooseNone}
      >
        {tools?.(anew)}
      </ListTools>
      {failure !== null && (
        <ErrorNote
          action={
            <Button size="sm" variant="outline" onClick={again}>
              {t("common:action.retry")}
            </Button>
          }
        >
          {failureWords(failure)}
        </ErrorNote>
      )}
      {rows === null ? (
        failure === null && <Skeleton height="22rem" />
      ) : rows.length === 0 && (total ?? 0) === 0 ? (
        <p className="admin-list__none">{found.narrowed ? words.nothingFound : words.none}</p>
      ) : (
        <DataTable
          label={words.title}
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
        {...props.deletion.words(meant)}
      />
    </div>
  );
}
