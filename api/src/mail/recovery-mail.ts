import type { Mail } from "./transport.ts";

interface Words {
  readonly subject: string;
  readonly text: (name: string, username: string, link: string) => string;
}

const KO: Words = {
  subject: "[물꼬] 비밀번호 재설정",
  text: (name, username, link) => `${name} 님, 안녕하세요.

아이디 ${username}의 비밀번호를 재설정해 달라는 요청을 받았습니다. 아래 링크를 열어 새 비밀번호를 정해 주세요. 링크는 30분 동안 한 번 쓸 수 있습니다.

${link}

요청하신 적이 없다면 이 메일을 무시해 주세요. 비밀번호는 바뀌지 않습니다.

물꼬 드림
`,
};

const EN: Words = {
  subject: "[Mulkko] Reset your password",
  text: (name, username, link) => `Hello ${name},

We received a request to reset the password of the account ${username}. Open this link to choose a new password. The link works once and expires after 30 minutes.

${link}

If you did not request this, ignore this email. Your password stays the same.

Mulkko
`,
};

const ZH: Words = {
  subject: "[Mulkko 水口] 重置密码",
  text: (name, username, link) => `${name}，您好：

我们收到了重置账号 ${username} 密码的请求。请打开下面的链接设置新密码。链接只能使用一次，30 分钟内有效。

${link}

如果不是您本人的请求，请忽略此邮件，您的密码不会改变。

Mulkko 水口
`,
};

const WORDS: Readonly<Record<string, Words>> = { KO, EN, ZH };

/** Return the mail with the link for a new password, in the account's language. */
export function recoveryMail(
  account: { readonly username: string; readonly nickname: string; readonly language: string },
  to: string,
  link: string,
): Mail {
  const { subject, text } = WORDS[account.language] ?? KO;
  return { to, subject, text: text(account.nickname || account.username, account.username, link) };
}
