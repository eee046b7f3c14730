import type { UserEntry } from "@mulkko/shared/rest/admin-user";
import { useTranslation } from "react-i18next";
import { useLocation, useNavigate } from "react-router-dom";
import { ALL_USERS, deleteUser } from "../../api/admin-users.ts";
import { useExtension } from "../../api/extensions.ts";
import { useAccount } from "../../api/hooks.ts";
import { ChoiceSegments } from "../../components/choice.tsx";
import { useListAddress } from "../../components/table-address.ts";
import { AdminList } from "../../domain/admin-list/AdminList.tsx";
import { useFoundRows } from "../../domain/admin-list/use-found-rows.ts";
import { cameFrom } from "../../domain/admin-list/use-return.ts";
import { TrashList } from "./TrashList.tsx";
import { userAddress, useUserColumns } from "./user-columns.tsx";
import { devicesOf, isLastAdministrator, roleOf } from "./user-values.ts";

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
