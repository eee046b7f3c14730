import type { Display } from "@mulkko/shared/rest/displays";

/** Displays of one account. `username` is null for the own account. */
export interface AccountDisplays {
  readonly account: string;
  readonly username: string | null;
  readonly displays: readonly Display[];
}

/**
 * Group an administrator's displays by account: the own one first, then by account name, each in the given
 * order.
 *
 * @param own id of the signed-in account
 */
export function byAccount(displays: readonly Display[], own: string): readonly AccountDisplays[] {
  const groups = new Map<string, Display[]>();
  for (const display of displays) {
    const account = String(display.account);
    const group = groups.get(account);
    if (group) group.push(display);
    else groups.set(account, [display]);
  }
  const nameOf = (account: string, { username }: Display): string => username ?? account;
  return [...groups]
    .map(([account, group]) => {
      const [first] = group;
      return {
        account,
        username: account === own || first === undefined ? null : nameOf(account, first),
        displays: group,
      };
    })
    .sort((a, b) =>
      a.username === null || b.username === null
        ? Number(b.username === null) - Number(a.username === null)
        : a.username.localeCompare(b.username),
    );
}
