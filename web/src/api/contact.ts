import type { ContactBody } from "@mulkko/shared/rest/account";
import { ContactEntry } from "@mulkko/shared/rest/admin";
import { PageOf } from "@mulkko/shared/rest/paging";
import { apiPath } from "@mulkko/shared/rest/routes";
import { type Static, Type } from "typebox";
import type { RestClient } from "./client.ts";

/** Send a message to the operators of the farm server. @throws ApiError 429 too many within an hour */
export async function sendContact(rest: RestClient, form: ContactBody): Promise<void> {
  await rest.call({ method: "POST", path: apiPath.contact, answer: Type.Unknown(), form });
}

const Contacts = PageOf(ContactEntry);

/** Fetch the newest messages, for administrators (extension `audit`); their times are in the API's zone. */
export function fetchNewestContacts(
  rest: RestClient,
  size: number,
  signal: AbortSignal,
): Promise<Static<typeof Contacts>> {
  const path = `${apiPath.adminContacts}?page=1&size=${size}`;
  return rest.call({ method: "GET", path, answer: Contacts, signal });
}
