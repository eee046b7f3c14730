import type { Display } from "@mulkko/shared/rest/displays";

/**
 * Group an administrator's displays by account: the own one first, with a null `username`, then by account name,
 * each in the given order.
 *
 * @param own id of the signed-in account
 */
export function byAccount(displays: readonly Display[], own: string) {
  const accounts = new Set(displays.map(({ account }) => String(account)));
  return [...accounts]
    .map((account) => {
      const group = displays.filter((display) => String(display.account) === account);
      return { account, username: account === own ? null : (group[0]?.username ?? account), displays: group };
    })
    .sort((a, b) =>
      a.username === null || b.username === null
        ? Number(b.username === null) - Number(a.username === null)
        : a.username.localeCompare(b.username),
    );
}
