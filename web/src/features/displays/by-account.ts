import type { Display } from "@mulkko/shared/rest/displays";

/**
 * Group an administrator's displays by account: the own one first, with a null `username`, then by account name,
 * each in the given order.
 *
 * @param own id of the signed-in account
 */
export function byAccount(displays: readonly Display[], own: string) {
  const groups = new Map<string, Display[]>();
  for (const display of displays) {
    const account = String(display.account);
    const group = groups.get(account);
    if (group) group.push(display);
    else groups.set(account, [display]);
  }
  return [...groups]
    .map(([account, group]) => {
      const [first] = group;
      return {
        account,
        username: account === own || first === undefined ? null : (first.username ?? account),
        displays: group,
      };
    })
    .sort((a, b) =>
      a.username === null || b.username === null
        ? Number(b.username === null) - Number(a.username === null)
        : a.username.localeCompare(b.username),
    );
}
