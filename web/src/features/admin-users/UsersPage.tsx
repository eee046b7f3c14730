import { Button, chakra, Stack, Text } from "@chakra-ui/react";
import type { TrashedUser, UserEntry } from "@mulkko/shared/rest/admin-user";
import { zoneNamed } from "@mulkko/shared/rules/calendar";
import { newestTime } from "@mulkko/shared/rules/zoneless-time";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useEffect, useMemo } from "react";
import { useTranslation } from "react-i18next";
import { useLocation, useNavigate } from "react-router-dom";
import { ALL_USERS, deleteUser, fetchTrash, restoreUser } from "../../api/admin-users.ts";
import { useErrorTexts, useWriteFailureTexts } from "../../api/error-texts.ts";
import { callFailure } from "../../api/errors.ts";
import { useApiZone, useExtension } from "../../api/extensions.ts";
import { useAccount, useRest } from "../../api/hooks.ts";
import { useRestQuery } from "../../api/queries.tsx";
import { Card } from "../../components/card.tsx";
import { ChoiceSegments } from "../../components/choice.tsx";
import type { TableColumn } from "../../components/table.tsx";
import { useListAddress } from "../../components/table-address.ts";
import { toaster } from "../../components/toaster.tsx";
import { AdminList } from "../../domain/admin-list/AdminList.tsx";
import { RowLink } from "../../domain/admin-list/ListTools.tsx";
import { useFoundRows } from "../../domain/admin-list/use-found-rows.ts";
import { cameFrom } from "../../domain/admin-list/use-return.ts";
import { PhoneLink } from "../../domain/fleet/PhoneLink.tsx";
import { DEFAULT_ZONE, useTimeTexts } from "../../domain/time/use-time-texts.ts";
import { useServerNow } from "../../live/hooks.ts";
import { FreeSerial } from "./FreeSerial.tsx";
import { devicesOf, isLastAdministrator, roleOf } from "./user-values.ts";

const NOTHING = "--";

/** Return the address of the page that edits an account. */
const userAddress = ({ id }: Pick<UserEntry, "id">): string =>
  `/adminpage/user?${new URLSearchParams({ id: `${id}` })}`;

/** Columns that only some farm APIs fill. */
const FURTHER = ["phone", "userAddress", "farmAddress", "deviceCount", "createdDate"] as const;

/**
 * Return the columns of the account list: the three of every farm API and those that these rows fill. The
 * sort keys are names of the farm API.
 */
function useUserColumns(rows: readonly UserEntry[] | null): TableColumn<UserEntry>[] {
  const { t } = useTranslation("admin-users");
  const times = useTimeTexts();
  const zone = useApiZone();
  const serverNow = useServerNow();
  const filled = FURTHER.filter((field) => rows?.some((row) => row[field] !== undefined)).join();
  return useMemo(() => {
    const api = zone === null ? null : zoneNamed(zone);
    const instantOf = ({ createdDate }: UserEntry) =>
      api && newestTime(createdDate, api, { now: serverNow() });
    const text = (key: "nickname" | "userAddress" | "farmAddress" | "phone"): TableColumn<UserEntry> => ({
      key,
      head: t(`column.${key}`),
      cell: (user) => user[key] || NOTHING,
      sort: (user) => user[key] ?? null,
    });
    const further: TableColumn<UserEntry>[] = [
      {
        ...text("phone"),
        cell: ({ phone, nickname, username }) =>
          phone ? <PhoneLink name={nickname || username} phone={phone} /> : NOTHING,
      },
      text("userAddress"),
      text("farmAddress"),
      {
        key: "deviceCount",
        head: t("column.deviceCount"),
        cell: ({ deviceCount }) => deviceCount ?? NOTHING,
        sort: ({ deviceCount }) => deviceCount ?? null,
        numeric: true,
      },
      {
        key: "createdDate",
        head: t("column.createdDate"),
        cell(user) {
          const instant = instantOf(user);
          return instant === null ? NOTHING : times.isoDay(instant);
        },
        sort: instantOf,
      },
    ];
    const isShown = ({ key }: TableColumn<UserEntry>) =>
      filled.split(",").includes(key) && (key !== "createdDate" || api !== null);
    return [
      {
        key: "username",
        head: t("column.username"),
        cell: (user) => <RowLink to={userAddress(user)}>{user.username}</RowLink>,
        sort: ({ username }) => username,
      },
      text("nickname"),
      {
        key: "userType",
        head: t("column.userType"),
        cell: (user) => (
          <chakra.span display="inline-flex" alignItems="center" gap="2">
            {t(`type.${roleOf(user)}`)}
            {user.disabled && (
              <Text
                as="span"
                py="0.05rem"
                px="0.45rem"
                borderWidth="1px"
                borderStyle="dashed"
                borderColor="border.strong"
                rounded="1rem"
                color="fg.muted"
                fontSize="caption"
              >
                {t("disabled.mark")}
              </Text>
            )}
          </chakra.span>
        ),
        sort: ({ userType }) => userType ?? null,
      },
      ...further.filter(isShown),
    ];
  }, [t, times, zone, serverNow, filled]);
}

/** Filters of the list. */
const NARROWING = { userType: roleOf } as const;

/** Return the texts that a search looks at if the farm API cannot search. */
const searchedColumns = (user: UserEntry): readonly unknown[] => [
  user.username,
  user.nickname,
  user.userAddress,
  user.farmAddress,
  user.phone,
];

/** Roles that the list can be filtered by; the empty value shows all. */
const TYPES = ["", "USER", "ADMIN"] as const;

/** `/adminpage/users`: all accounts, with search, sorting, detail links and bulk deletion. */
export function UsersPage() {
  const { t } = useTranslation(["admin-users", "admin"]);
  const navigate = useNavigate();
  const { search } = useLocation();
  const address = useListAddress();
  const found = useFoundRows(ALL_USERS, address, searchedColumns, NARROWING);
  const columns = useUserColumns(found.rows);
  const own = useAccount();
  const hasTrash = useExtension("trash");
  return (
    <>
      <AdminList
        texts={{
          title: t("title"),
          count: (count) => t("list.count", { count }),
          search: t("list.search"),
          add: t("list.add"),
          none: t("list.none"),
          nothingFound: t("list.nothingFound"),
        }}
        address={address}
        found={found}
        columns={columns}
        nameOf={({ username }) => username}
        onOpen={(user) => void navigate(userAddress(user), { state: cameFrom(search) })}
        add={{ to: "/adminpage/user/add", state: cameFrom(search) }}
        tools={({ filter, onFilter }) => (
          <ChoiceSegments
            label={t("column.userType")}
            value={TYPES.find((type) => type === filter("userType")) ?? ""}
            choices={TYPES.map((type) => ({
              value: type,
              label: t(type === "" ? "type.all" : `type.${type}`),
            }))}
            onChoose={(type) => onFilter("userType", type)}
          />
        )}
        deletion={{
          remove: deleteUser,
          nameOf: ({ username, nickname }) => (nickname ? `${nickname} (${username})` : username),
          // The administrator must stay signed in until the last row is deleted.
          spared: { is: ({ id }) => `${id}` === `${own.id}`, note: t("delete.many.own") },
          texts(chosen) {
            const { size: count } = chosen;
            const devices = devicesOf(chosen.values());
            const accounts = t("delete.many.accounts", { count });
            return {
              title: t("delete.many.title", { count }),
              question: [
                devices === null
                  ? t("delete.many.textPlain", { accounts })
                  : t("delete.many.text", {
                      accounts,
                      devices: t("delete.many.devices", { count: devices }),
                    }),
                t(hasTrash ? "delete.trash" : "delete.forEver"),
              ].join(" "),
              confirmLabel: t("delete.many.confirm", { count }),
              why: (code) => (isLastAdministrator(code) ? t("lastAdministrator.cannotGo") : null),
            };
          },
        }}
      />
      <TrashList />
    </>
  );
}

/**
 * List deleted accounts with their final dates and let the administrator restore them; nothing if there are
 * none. It is loaded again with the list of accounts.
 */
function TrashList() {
  const { t } = useTranslation("admin-users");
  const { client, session } = useRest();
  const { onlyAccount } = useAccount();
  const errorTexts = useErrorTexts();
  const failureTexts = useWriteFailureTexts();
  const times = useTimeTexts();
  const zone = zoneNamed(useApiZone() ?? DEFAULT_ZONE);
  const serverNow = useServerNow();
  const offers = useExtension("trash");
  const freesSerials = useExtension("free-serial");
  const queries = useQueryClient();
  const { data: users, error } = useRestQuery([ALL_USERS.path, "trash"], fetchTrash, { enabled: offers });
  useEffect(() => {
    if (error !== null) toaster.create({ type: "error", title: errorTexts(error) });
  }, [error, errorTexts]);
  const restoring = useMutation({
    mutationFn: (user: TrashedUser) => restoreUser(client, user.id),
    onSuccess(_, user) {
      // With a second account the administration is the home (FIRST-1).
      if (onlyAccount) void session.reloadAccount().catch(() => undefined);
      toaster.create({ type: "success", title: t("trash.restored", { name: user.username }) });
      return queries.invalidateQueries({ queryKey: [ALL_USERS.path] });
    },
    onError: (failure) =>
      toaster.create({ type: "error", title: failureTexts(t("trash.failed"), callFailure(failure)) }),
  });
  const day = (text: string): string => {
    const instant = newestTime(text, zone, { now: serverNow() });
    return instant === null ? text : times.isoDay(instant);
  };
  if (users === null || users.length === 0) return null;
  return (
    <Card title={t("trash.title")}>
      <Stack
        as="ul"
        gap="2"
        css={{
          "& > li": {
            display: "flex",
            flexWrap: "wrap",
            alignItems: "center",
            justifyContent: "space-between",
            rowGap: "1",
            columnGap: "4",
            overflowWrap: "anywhere",
          },
        }}
      >
        {users.map((user) => (
          <li key={user.id}>
            <span>
              <strong>{user.nickname ? `${user.nickname} (${user.username})` : user.username}</strong>{" "}
              {t("trash.devices", { count: user.deviceCount })} ·{" "}
              {t("trash.until", { day: day(user.purgeDate) })}
            </span>
            <Button
              size="sm"
              variant="outline"
              loading={restoring.isPending && restoring.variables.id === user.id}
              aria-label={t("trash.restoreNamed", { name: user.username })}
              onClick={() => restoring.mutate(user)}
            >
              {t("trash.restore")}
            </Button>
          </li>
        ))}
      </Stack>
      {freesSerials && (
        <FreeSerial onFreed={() => void queries.invalidateQueries({ queryKey: [ALL_USERS.path] })} />
      )}
    </Card>
  );
}
