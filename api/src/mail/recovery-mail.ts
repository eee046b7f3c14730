import type { Mail } from "./transport.ts";

interface Words {
  readonly subject: string;
  readonly text: (name: string, username: string, link: string) => string;
}

const KO: Words = {
  subject: "[물꼬] 비밀번호를 새로 정해 주세요",
  text: (name, username, link) => `${name} 님, 안녕하세요.

아이디 ${username}의 비밀번호를 새로 정하겠다는 요청을 받았습니다. 아래 주소를 열어 새 비밀번호를 정해 주세요. 이 주소는 30분 안에 한 번만 쓸 수 있습니다.

${link}

요청하신 적이 없다면 이 메일은 지우셔도 됩니다. 비밀번호는 바뀌지 않습니다.

물꼬 드림
`,
};

const EN: Words = {
  subject: "[Mulkko] Reset your password",
  text: (name, username, link) => `Hello ${name},

We received a request to reset the password of the account ${username}. Open this link to choose a new password. The link works once and expires after 30 minutes.

${link}

If you did not make this request, you can delete this email. Your password does not change.

Mulkko
`,
};

const ZH: Words = {
  subject: "[Mulkko 水口] 请设置新密码",
  text: (name, username, link) => `${name}，您好：

我们收到了为账号 ${username} 设置新密码的请求。请打开下面的网址设置新密码。该网址在 30 分钟内有效，且只能使用一次。

${link}

如果不是您本人的请求，请删除此邮件，您的密码不会改变。

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
