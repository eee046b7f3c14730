import { DEMO_ACCOUNTS } from "../demo/farm.ts";
import { notify } from "../modules/notification/notify.ts";

const MINUTE_MS = 60_000;

const NOTIFICATIONS = [
  {
    username: "farmer",
    type: "DEVICE",
    message: "양액 탱크: 5분 동안 수신이 없다가 다시 연결되었습니다.",
    minutesAgo: 52,
    unread: true,
  },
  {
    username: "farmer",
    type: "RSSI",
    message: "퇴비장 (합성): 신호가 약합니다 (-93 dBm).",
    minutesAgo: 3 * 60 + 14,
    unread: true,
  },
  {
    username: "farmer",
    type: "BATTERY",
    message: "육묘장 토양수분: 배터리 잔량이 낮습니다. 교체를 준비하세요.",
    minutesAgo: 26 * 60,
    unread: false,
  },
  {
    username: "neighbor",
    type: "BATTERY",
    message: "토마토 2동 토양수분: 배터리 잔량이 낮습니다.",
    minutesAgo: 7 * 60,
    unread: true,
  },
] as const;

/** A few things that happened on the demo farm before anybody looked. @param now ms since 1970 UTC */
export async function insertDemoNotifications(
  parts: Parameters<typeof notify>[0],
  now: number,
): Promise<void> {
  for (const { username, type, message, minutesAgo, unread } of NOTIFICATIONS) {
    const account = DEMO_ACCOUNTS.find((one) => one.username === username);
    if (!account) continue;
    const at = now - minutesAgo * MINUTE_MS;
    await notify(parts, { accountId: account.id, type, message, at, unread });
  }
}
