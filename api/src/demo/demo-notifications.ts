import { sentenceOf } from "../notifications/alerts/messages.ts";
import { notify } from "../notifications/notify.ts";
import { DEMO_ACCOUNTS } from "./farm.ts";

const MINUTE_MS = 60_000;

const NOTIFICATIONS = [
  { username: "farmer", type: "DEVICE", name: "양액 탱크", minutesAgo: 52, unread: true },
  {
    username: "farmer",
    type: "RSSI",
    name: "퇴비장 (합성)",
    value: -113,
    minutesAgo: 3 * 60 + 14,
    unread: true,
  },
  {
    username: "farmer",
    type: "BATTERY",
    name: "육묘장 토양수분",
    value: 19,
    minutesAgo: 26 * 60,
    unread: false,
  },
  {
    username: "neighbor",
    type: "BATTERY",
    name: "토마토 2동 토양수분",
    value: 18,
    minutesAgo: 7 * 60,
    unread: true,
  },
] as const;

/** Insert some past events of the demo farm. @param now ms since 1970 UTC */
export async function insertDemoNotifications(
  parts: Parameters<typeof notify>[0],
  now: number,
): Promise<void> {
  for (const { username, type, name, minutesAgo, unread, ...more } of NOTIFICATIONS) {
    const account = DEMO_ACCOUNTS.find((one) => one.username === username);
    if (!account) continue;
    const at = now - minutesAgo * MINUTE_MS;
    const value = "value" in more ? more.value : at - 60 * MINUTE_MS;
    const message = sentenceOf(type, name, value, account);
    await notify(parts, { accountId: account.id, type, message, at, unread });
  }
}
