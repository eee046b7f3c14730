import type { ContactBody } from "@mulkko/shared/rest/account";
import { ContactEntry } from "@mulkko/shared/rest/admin";
import { PageOf } from "@mulkko/shared/rest/paging";
import { apiPath } from "@mulkko/shared/rest/routes";
import { get, type RestClient, send } from "./client.ts";

/** Send a message to the operators of the farm server. @throws ApiError 429 too many within an hour */
export const sendContact = (rest: RestClient, form: ContactBody) =>
  send(rest, { method: "POST", path: apiPath.contact, form });

const Contacts = PageOf(ContactEntry);

/** Fetch the newest messages, for administrators (extension `audit`); their times are in the API's zone. */
export const fetchNewestContacts = (rest: RestClient, size: number, signal: AbortSignal) =>
  get(rest, `${apiPath.adminContacts}?page=1&size=${size}`, Contacts, signal);
