import type { NotificationType } from "@mulkko/shared/entities/notification";
import { isTimeZone, type Language, languageOf } from "@mulkko/shared/rules/account-fields";

const LOCALES: Readonly<Record<Language, string>> = { KO: "ko-KR", EN: "en-US", ZH: "zh-CN" };

/** Language and zone of the recipient, as stored in the account. */
export interface Reader {
  readonly language: string;
  readonly timezone: string;
}

/** Format day and time in the recipient's language and zone. @param instant ms since 1970 UTC */
export function sayTime(instant: number, { language, timezone }: Reader): string {
  return new Intl.DateTimeFormat(LOCALES[languageOf(language) ?? "KO"], {
    month: "long",
    day: "numeric",
    hour: "2-digit",
    minute: "2-digit",
    hourCycle: "h23",
    timeZone: isTimeZone(timezone) ? timezone : "Asia/Seoul",
  }).format(instant);
}

type Sentences = Readonly<Record<NotificationType, (name: string, value: string) => string>>;

const SENTENCES: Readonly<Record<Language, Sentences>> = {
  KO: {
    BATTERY: (name, value) => `${name}: 배터리가 ${value}% 남았습니다. 교체하거나 충전해 주세요.`,
    RSSI: (name, value) => `${name}: 신호가 약합니다(${value} dBm). 안테나와 주변 장애물을 확인해 주세요.`,
    DEVICE: (name, time) => `${name}: ${time} 이후 수신이 없습니다. 전원과 통신 상태를 확인해 주세요.`,
  },
  EN: {
    BATTERY: (name, value) => `${name}: battery at ${value}%. Replace or charge it.`,
    RSSI: (name, value) => `${name}: weak signal (${value} dBm). Check the antenna and nearby obstacles.`,
    DEVICE: (name, time) => `${name}: no data since ${time}. Check the power and the connection.`,
  },
  ZH: {
    BATTERY: (name, value) => `${name}：电池电量仅剩 ${value}%，请更换或充电。`,
    RSSI: (name, value) => `${name}：信号较弱（${value} dBm），请检查天线和周围的遮挡物。`,
    DEVICE: (name, time) => `${name}：自${time}起未收到数据，请检查电源和通信。`,
  },
};

/** Format with one decimal, rounded down: 19.96 % must not read as 20 %, the limit that it is below. */
const sayNumber = (value: number): string => String(Math.floor(value * 10) / 10);

/**
 * Return the sentence of a notification.
 *
 * @param value %, dBm, or the time of the device's last message
 */
export function sentenceOf(type: NotificationType, name: string, value: number, reader: Reader): string {
  const say = SENTENCES[languageOf(reader.language) ?? "KO"][type];
  return say(name, type === "DEVICE" ? sayTime(value, reader) : sayNumber(value));
}
