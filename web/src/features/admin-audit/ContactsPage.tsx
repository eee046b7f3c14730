import type { ContactEntry } from "@mulkko/shared/rest/admin";
import { Link } from "react-router-dom";
import { PageHeading } from "../../components/page-heading.tsx";
import { useListAddress } from "../../components/table-address.ts";
import { useTranslation } from "../../i18n/use-translation.ts";
import { CONTACTS } from "../../rest/audit.ts";
import { useListed } from "../../rest/use-listed.ts";
import { KeptOnly } from "./KeptOnly.tsx";
import { PagedList } from "./PagedList.tsx";
import { useWhen } from "./use-when.ts";
import "./admin-audit.css";

/** `/adminpage/contacts`: messages from the contact form. */
export function ContactsPage() {
  const { t } = useTranslation("admin-contacts");
  return (
    <div className="admin-list">
      <PageHeading title={t("title")} note={t("note")} />
      <KeptOnly>
        <Messages />
      </KeptOnly>
    </div>
  );
}

function Messages() {
  const { t } = useTranslation("admin-contacts");
  const address = useListAddress(20);
  const { page, size } = address;
  const list = useListed(CONTACTS, { page, size, text: "", sort: null });
  return (
    <PagedList label={t("title")} list={list} address={address} none={t("none")} keyOf={({ id }) => id}>
      {(message) => <Message message={message} />}
    </PagedList>
  );
}

function Message({ message }: { message: ContactEntry }) {
  const { t } = useTranslation("admin-contacts");
  const when = useWhen();
  const { userId, username, name, title } = message;
  return (
    <article className="admin-entry">
      <p className="admin-entry__head">
        <strong>{title || t("untitled")}</strong>
      </p>
      <p className="admin-entry__about">
        <span>
          {name} (<Link to={`/adminpage/user?${new URLSearchParams({ id: `${userId}` })}`}>{username}</Link>)
        </span>
        <time>{when(message.createdDate)}</time>
      </p>
      {message.message !== "" && <p className="admin-entry__text">{message.message}</p>}
    </article>
  );
}
