import { parse } from "@mulkko/shared/schema/parse";
import { useLocation } from "react-router-dom";
import { type Static, Type } from "typebox";

/** The lists of the desk. */
export const USERS_PATH = "/adminpage/users";
export const SENSORS_PATH = "/adminpage/sensors";

const CameFrom = Type.Object({ list: Type.String({ maxLength: 1_000 }) });

/** What a link to a row says of the list that it stands in: its search, page and order. */
export const cameFrom = (search: string): Static<typeof CameFrom> => ({ list: search });

/** Where the way back leads: to the list as it stood, where somebody came from one. */
export function useReturn(list: typeof USERS_PATH | typeof SENSORS_PATH): string {
  const parsed = parse(CameFrom, useLocation().state);
  return parsed.ok ? `${list}${parsed.value.list}` : list;
}
