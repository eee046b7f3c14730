import { parse } from "@mulkko/shared/schema/parse";
import { useLocation } from "react-router-dom";
import { type Static, Type } from "typebox";

/** Paths of the administrator's lists. */
export const USERS_PATH = "/adminpage/users";
export const SENSORS_PATH = "/adminpage/sensors";

const CameFrom = Type.Object({ list: Type.String({ maxLength: 1_000 }) });

/** Navigation state for a link to a row: the search, page and order of its list. */
export const cameFrom = (search: string): Static<typeof CameFrom> => ({ list: search });

/** Return the target of the back link: the list in its former state if the user came from it. */
export function useReturn(list: typeof USERS_PATH | typeof SENSORS_PATH): string {
  const parsed = parse(CameFrom, useLocation().state);
  return parsed.ok ? `${list}${parsed.value.list}` : list;
}
