import { chakra, Text } from "@chakra-ui/react";
import type { UserEntry } from "@mulkko/shared/rest/admin-user";
import { createApiTimeZone } from "@mulkko/shared/rules/api-time";
import { useMemo } from "react";
import { useTranslation } from "react-i18next";
import { useApiZone } from "../../api/extensions.ts";
import type { TableColumn } from "../../components/table.tsx";
import { RowLink } from "../../domain/admin-list/ListTools.tsx";
import { useTimeWords } from "../../domain/time/use-time-words.ts";
import { roleOf } from "./user-values.ts";

const NOTHING = "--";

/** Return the address of the page that edits an account. */
export const userAddress = ({ id }: Pick<UserEntry, "id">): string =>
  `/adminpage/user?${new URLSearchParams({ id: `${id}` })}`;

/**
 * Return the columns of the account list: the three of every farm API and those that these rows fill. The
 * sort keys are names of the farm API.
 */
export function useUserColumns(rows: readonly UserEntry[] | null): TableColumn<UserEntry>[] {
  const { t } = useTranslation("admin-users");
  const times = useTimeWords();
  const zone = useApiZone();
  const fills = (field: keyof UserEntry): boolean => rows?.some((row) => row[field] !== undefined) ?? false;
  const mail = fills("userAddress");
  const farm = fills("farmAddress");
  const phone = fills("phone");
  const devices = fills("deviceCount");
  const dated = fills("createdDate") && zone !== null;
  return useMemo(() => {
    const toInstant = dated && zone !== null ? createApiTimeZone(zone).toInstant : () => null;
    const instantOf = ({ createdDate }: UserEntry) => (createdDate ? toInstant(createdDate) : null);
    const text = (key: "userAddress" | "farmAddress" | "phone"): TableColumn<UserEntry> => ({
      key,
      head: t(`column.${key}`),
      cell: (user) => user[key] || NOTHING,
      sort: (user) => user[key] ?? null,
    });
    return [
      {
        key: "username",
        head: t("column.username"),
        cell: (user) => <RowLink to={userAddress(user)}>{user.username}</RowLink>,
        sort: ({ username }) => username,
      },
      {
        key: "nickname",
        head: t("column.nickname"),
        cell: ({ nickname }) => nickname || NOTHING,
        sort: ({ nickname }) => nickname ?? null,
      },
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
      ...(phone ? [text("phone")] : []),
      ...(mail ? [text("userAddress")] : []),
      ...(farm ? [text("farmAddress")] : []),
      ...(devices
        ? [
            {
              key: "deviceCount",
              head: t("column.deviceCount"),
              cell: ({ deviceCount }: UserEntry) => deviceCount ?? NOTHING,
              sort: ({ deviceCount }: UserEntry) => deviceCount ?? null,
              numeric: true,
            },
          ]
        : []),
      ...(dated
        ? [
            {
              key: "createdDate",
              head: t("column.createdDate"),
              cell: (user: UserEntry) => {
                const instant = instantOf(user);
                return instant === null ? NOTHING : times.isoDay(instant);
              },
              sort: instantOf,
            },
          ]
        : []),
    ];
  }, [t, times, zone, mail, farm, phone, devices, dated]);
}
