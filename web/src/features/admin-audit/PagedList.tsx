import { Box, Flex, Grid } from "@chakra-ui/react";
import { zoneNamed } from "@mulkko/shared/rules/calendar";
import { newestTime } from "@mulkko/shared/rules/zoneless-time";
import { CheckIcon, ClockIcon, TriangleAlertIcon } from "lucide-react";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import type { Static, TSchema } from "typebox";
import { useFailureTexts } from "../../api/error-texts.ts";
import { useApiZone, useExtension } from "../../api/extensions.ts";
import { useClaim } from "../../api/knowledge.ts";
import type { LongList } from "../../api/listed.ts";
import { ErrorNote } from "../../components/alerts.tsx";
import { Skeleton } from "../../components/skeleton.tsx";
import { TableFoot } from "../../components/table.tsx";
import { PAGE_SIZES } from "../../components/table-address.ts";
import { pageCount, pageWithin } from "../../components/table-model.ts";
import { NoneFound } from "../../domain/admin-list/ListTools.tsx";
import { useTimeTexts } from "../../domain/time/use-time-texts.ts";
import { useServerNow } from "../../live/hooks.ts";
import { Filters, type FiltersProps, useLog } from "./Filters.tsx";

const LINE = {
  wrap: "wrap",
  align: "baseline",
  rowGap: "0.5",
  columnGap: "3",
  overflowWrap: "anywhere",
} as const;

const ICONS = { confirmed: CheckIcon, taken: ClockIcon, refused: TriangleAlertIcon } as const;

interface PagedListProps<S extends TSchema> {
  label: string;
  list: LongList<S>;
  filters?: FiltersProps;
  /** Text of an empty list. */
  none: string;
  /** Draw a row as an {@link Entry}, with its key. */
  children: (row: Static<S>) => ReactNode;
}

/** List of entries, newest first, in pages. */
export function PagedList<S extends TSchema>({ label, list, filters, none, children }: PagedListProps<S>) {
  const failureTexts = useFailureTexts();
  const { listed, failure, again, address } = useLog(list, filters?.name);
  const claim = useClaim({ data: listed, error: failure });
  const rows = listed?.rows ?? [];
  const total = listed?.kind === "page" ? listed.total : rows.length;
  const page = pageWithin(address.page, pageCount(total, address.size));
  return (
    <>
      {filters && <Filters address={address} {...filters} />}
      {failure !== null && <ErrorNote retry={again}>{failureTexts(failure)}</ErrorNote>}
      {listed === null && failure === null && <Skeleton height="24rem" />}
      {listed !== null && total === 0 && <NoneFound>{claim(none)}</NoneFound>}
      {listed !== null && total > 0 && (
        <Box layerStyle="panel" css={{ "& li + li": { borderTopWidth: "1px" } }}>
          <ol aria-label={label}>{rows.map(children)}</ol>
          <TableFoot
            page={page}
            pageSize={address.size}
            total={total}
            shown={rows.length}
            onPage={address.onPage}
            sizes={PAGE_SIZES}
            onSize={address.onSize}
          />
        </Box>
      )}
    </>
  );
}

interface EntryProps {
  head: ReactNode;
  /** User and time, at the far edge where there is room. */
  about: ReactNode;
  children?: ReactNode;
}

/** One entry of a list: its head, its facts, and further content below. */
export function Entry({ head, about, children }: EntryProps) {
  return (
    <li>
      <Grid
        as="article"
        templateColumns="minmax(0, 1fr) auto"
        rowGap="1"
        columnGap="4"
        py="3"
        px="4"
        css={{
          "& > *": { gridColumn: "1 / -1", minW: "0" },
          "& a": { textDecoration: "underline", textUnderlineOffset: "0.2em" },
        }}
      >
        <Flex as="p" {...LINE} gridColumn={{ md: "1" }}>
          {head}
        </Flex>
        <Flex
          as="p"
          {...LINE}
          color="fg.muted"
          fontSize="label"
          gridColumn={{ md: "2" }}
          justify={{ md: "flex-end" }}
        >
          {about}
        </Flex>
        {children}
      </Grid>
    </li>
  );
}

/** Result of an entry. A refusal is red. */
export function Outcome({ kind, children }: { kind: keyof typeof ICONS; children: ReactNode }) {
  const Icon = ICONS[kind];
  return (
    <Flex
      as="p"
      align="center"
      gap="0.4rem"
      fontSize="label"
      css={{ "& > svg": { flex: "none" } }}
      {...(kind === "refused"
        ? { color: "alarm.p1.fg", fontWeight: "semibold" }
        : kind === "taken"
          ? { color: "fg.muted" }
          : {})}
    >
      <Icon size={18} />
      <span>{children}</span>
    </Flex>
  );
}

/** Format a time of the farm API in the account's time zone; unchanged until the API's zone is known. */
export function useWhen(): (date: string) => string {
  const times = useTimeTexts();
  const zone = useApiZone();
  const serverNow = useServerNow();
  const api = zone === null ? null : zoneNamed(zone);
  return (date) => {
    const instant = api && newestTime(date, api, { now: serverNow() });
    return instant === null ? date : `${times.isoDay(instant)} ${times.exactTime(instant)}`;
  };
}

/** Render content that only some farm APIs store, or a notice that this one does not. */
export function KeptOnly({ children }: { children: ReactNode }) {
  const { t } = useTranslation("admin-audit");
  const isSupported = useExtension("audit");
  const isKnown = useApiZone() !== null;
  if (isSupported) return children;
  return isKnown ? <NoneFound>{t("notKept")}</NoneFound> : <Skeleton height="24rem" />;
}
