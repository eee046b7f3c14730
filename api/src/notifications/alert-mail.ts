import { type Language, languageOf } from "@mulkko/shared/rules/account-fields";
import type { Mail } from "../mail/transport.ts";

interface Words {
  readonly brand: string;
  readonly several: (count: number) => string;
  readonly text: (name: string, lines: string, link: string) => string;
  readonly more: (count: number) => string;
}

const WORDS: Readonly<Record<Language, Words>> = {
  KO: {
    brand: "[물꼬]",
    several: (count) => `장치 알림 ${count}건`,
    more: (count) => `- 그 밖에 ${count}건`,
    text: (name, lines, link) => `${name} 님, 안녕하세요.

농장의 장치를 확인해 주세요.

${lines}

현재 상태는 아래 링크에서 확인하실 수 있습니다.
${link}

이메일 경보는 계정 설정에서 끌 수 있습니다.

물꼬 드림
`,
  },
  EN: {
    brand: "[Mulkko]",
    several: (count) => `${count} device notifications`,
    more: (count) => `- and ${count} more`,
    text: (name, lines, link) => `Hello ${name},

Devices of your farm need attention.

${lines}

View their current status:
${link}

You can switch off these emails in your account settings.

Mulkko
`,
  },
  ZH: {
    brand: "[Mulkko 水口]",
    several: (count) => `${count} 条设备通知`,
    more: (count) => `- 另有 ${count} 条`,
    text: (name, lines, link) => `${name}，您好：

请检查农场的设备。

${lines}

查看当前状态：
${link}

您可以在账户设置中关闭邮件警报。

Mulkko 水口
`,
  },
};

const MAX_SUBJECT = 120;

/** A notification as a line of a mail. */
export interface AlertLine {
  /** Day and time as text. */
  readonly time: string;
  readonly message: string;
}

/**
 * Return the mail with an account's notifications, in its language.
 *
 * @param lines at least one
 * @param total number of notifications, including those that are not listed
 * @param link URL of the web client
 */
export function alertMail(
  account: { readonly username: string; readonly nickname: string; readonly language: string },
  to: string,
  lines: readonly AlertLine[],
  total: number,
  link: string,
): Mail {
  const { brand, several, text, more } = WORDS[languageOf(account.language) ?? "KO"];
  const [first] = lines;
  const about = total === 1 && first ? first.message : several(total);
  const written = lines.map(({ time, message }) => `- ${time}  ${message}`);
  if (total > lines.length) written.push(more(total - lines.length));
  return {
    to,
    subject: `${brand} ${about}`.slice(0, MAX_SUBJECT),
    text: text(account.nickname || account.username, written.join("\n"), link),
  };
}
