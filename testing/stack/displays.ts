import { Display, type DisplaySettings, PairingAnswer, PairingCode } from "@mulkko/shared/rest/displays";
import { relayPath } from "@mulkko/shared/rest/routes";
import { read } from "./account.ts";

/** The browser of a television. */
export const TV_BROWSER = "Mozilla/5.0 (Linux; Android 11; TV) Chrome/120.0 Safari/537.36";

const post = (
  url: string,
  body?: object,
  headers: Readonly<Record<string, string>> = {},
): Promise<Response> =>
  fetch(url, {
    method: "POST",
    headers: { "user-agent": TV_BROWSER, ...headers, ...(body && { "content-type": "application/json" }) },
    ...(body && { body: JSON.stringify(body) }),
  });

/** Ask for a code, as a screen does. */
export const askCode = async (url: string): Promise<PairingCode> =>
  read(await post(url + relayPath.displayCodes), PairingCode);

/** Ask for the token of an approved code, as a screen does. */
export const collectToken = async (url: string, deviceCode: string): Promise<PairingAnswer> =>
  read(await post(url + relayPath.displayToken, { deviceCode }), PairingAnswer);

/** A paired display, and its screen's token. */
export interface PairedDisplay {
  readonly display: Display;
  readonly token: string;
}

/** Pair a display without a screen at one relay, by an approval at another, which may be the same. */
export async function pairDisplay(
  url: string,
  settings: DisplaySettings,
  approval: { readonly token: string; readonly url?: string },
): Promise<PairedDisplay> {
  const { code, deviceCode } = await askCode(url);
  const authorization = `Bearer ${approval.token}`;
  const body = { code, settings };
  await read(await post((approval.url ?? url) + relayPath.displays, body, { authorization }), Display);
  const answer = await collectToken(url, deviceCode);
  if (answer.state !== "approved") throw new Error(`the approved code is ${answer.state}`);
  return answer;
}
