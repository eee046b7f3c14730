import type { ContactBody } from "@mulkko/shared/rest/account";
import { ContactEntry } from "@mulkko/shared/rest/admin";
import { contactSend } from "@mulkko/shared/rest/operations/account";
import { adminContacts } from "@mulkko/shared/rest/operations/admin";
import { callOf } from "@mulkko/shared/rest/operations/operation";
import { PageOf } from "@mulkko/shared/rest/paging";
import { get, type RestClient, send } from "./client.ts";

/** Send a message to the operators of the farm server. @throws ApiError 429 too many within an hour */
export const sendContact = (rest: RestClient, form: ContactBody) =>
  send(rest, { ...callOf(contactSend, {}), form });

const Contacts = PageOf(ContactEntry);

/** Fetch the newest messages, for administrators (extension `audit`); their times are in the API's zone. */
export const fetchNewestContacts = (rest: RestClient, size: number, signal: AbortSignal) =>
  get(rest, `${adminContacts.path}?page=1&size=${size}`, Contacts, signal);
