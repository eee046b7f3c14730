import { parse } from "@mulkko/shared/schema/parse";
import { useLocation } from "react-router-dom";
import { type Static, Type } from "typebox";

export const USERS_PATH = "/adminpage/users";

const CameFrom = Type.Object({ list: Type.String({ maxLength: 1_000 }) });

/** What a link to an account says of the list that it stands in: its search, page and order. */
export const cameFrom = (search: string): Static<typeof CameFrom> => ({ list: search });

/** Where the way back leads: to the list as it stood, where somebody came from one. */
export function useReturn(): string {
  const parsed = parse(CameFrom, useLocation().state);
  return parsed.ok ? `${USERS_PATH}${parsed.value.list}` : USERS_PATH;
}
