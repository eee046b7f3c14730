import "./admin-audit.css";
import { Flex, Grid, Text } from "@chakra-ui/react";
import type { ContactEntry } from "@mulkko/shared/rest/admin";
import { Link } from "react-router-dom";
import { CONTACTS } from "../../api/admin.ts";
import { useListed } from "../../api/listed.ts";
import { PageHeading } from "../../components/page-heading.tsx";
import { useListAddress } from "../../components/table-address.ts";
import { useTranslation } from "../../i18n/use-translation.ts";
import { KeptOnly } from "./KeptOnly.tsx";
import { PagedList } from "./PagedList.tsx";
import { useWhen } from "./use-when.ts";

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
    <Grid
      as="article"
      templateColumns="minmax(0, 1fr) auto"
      rowGap="1"
      columnGap="4"
      py="3"
      px="4"
      css={{
        "& > *": { gridColumn: "1 / -1", minW: "0" },
        "& a": { textDecoration: "underline", textUnderlineOffset: "0.2em" },
      }}
    >
      <Flex
        as="p"
        wrap="wrap"
        align="baseline"
        rowGap="0.5"
        columnGap="3"
        overflowWrap="anywhere"
        gridColumn={{ md: "1" }}
      >
        <strong>{title || t("untitled")}</strong>
      </Flex>
      <Flex
        as="p"
        wrap="wrap"
        align="baseline"
        rowGap="0.5"
        columnGap="3"
        overflowWrap="anywhere"
        color="fg.muted"
        fontSize="label"
        gridColumn={{ md: "2" }}
        justify={{ md: "flex-end" }}
      >
        <span>
          {name} (<Link to={`/adminpage/user?${new URLSearchParams({ id: `${userId}` })}`}>{username}</Link>)
        </span>
        <time>{when(message.createdDate)}</time>
      </Flex>
      {message.message !== "" && (
        <Text maxW="48rem" whiteSpace="pre-wrap" overflowWrap="anywhere">
          {message.message}
        </Text>
      )}
    </Grid>
  );
}
