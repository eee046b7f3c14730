import { Text } from "@chakra-ui/react";
import type { ContactEntry } from "@mulkko/shared/rest/admin";
import { useTranslation } from "react-i18next";
import { Link } from "react-router-dom";
import { CONTACTS } from "../../api/admin.ts";
import { PageHeading } from "../../components/page-heading.tsx";
import { ListPage } from "../../domain/admin-list/ListTools.tsx";
import { Entry, KeptOnly, PagedList, useWhen } from "./PagedList.tsx";

/** `/adminpage/contacts`: messages from the contact form. */
export function ContactsPage() {
  const { t } = useTranslation("admin-contacts");
  return (
    <ListPage>
      <PageHeading title={t("title")} note={t("note")} />
      <KeptOnly>
        <PagedList label={t("title")} list={CONTACTS} none={t("none")}>
          {(message) => <Message key={message.id} message={message} />}
        </PagedList>
      </KeptOnly>
    </ListPage>
  );
}

function Message({ message }: { message: ContactEntry }) {
  const { t } = useTranslation("admin-contacts");
  const when = useWhen();
  const { userId, username, name, title } = message;
  return (
    <Entry
      head={<strong>{title || t("untitled")}</strong>}
      about={
        <>
          <span>
            {name} (<Link to={`/adminpage/user?${new URLSearchParams({ id: `${userId}` })}`}>{username}</Link>
            )
          </span>
          <time>{when(message.createdDate)}</time>
        </>
      }
    >
      {message.message !== "" && (
        <Text maxW="48rem" whiteSpace="pre-wrap" overflowWrap="anywhere">
          {message.message}
        </Text>
      )}
    </Entry>
  );
}
