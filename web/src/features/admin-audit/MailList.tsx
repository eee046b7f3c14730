import { Text } from "@chakra-ui/react";
import type { OutboxEntry } from "@mulkko/shared/rest/admin";
import { CheckIcon, ClockIcon, TriangleAlertIcon } from "lucide-react";
import { useTranslation } from "react-i18next";
import { MAILS } from "../../api/admin.ts";
import { useListed } from "../../api/listed.ts";
import { useListAddress } from "../../components/table-address.ts";
import { Entry, Outcome, PagedList, useWhen } from "./PagedList.tsx";

/** List mails to users. Without a mail server they are read here, such as the link of a password reset. */
export function MailList() {
  const { t } = useTranslation("admin-audit");
  const address = useListAddress();
  const { page, size } = address;
  const list = useListed(MAILS, { page, size, text: "", sort: null });
  return (
    <PagedList label={t("mails")} list={list} address={address} none={t("mail.none")}>
      {(mail) => <Mail mail={mail} />}
    </PagedList>
  );
}

const RESULTS = {
  sent: { kind: "confirmed", icon: <CheckIcon size={18} /> },
  waiting: { kind: "taken", icon: <ClockIcon size={18} /> },
  kept: { kind: "taken", icon: <ClockIcon size={18} /> },
  failed: { kind: "refused", icon: <TriangleAlertIcon size={18} /> },
} as const satisfies Record<OutboxEntry["state"], object>;

function Mail({ mail }: { mail: OutboxEntry }) {
  const { t } = useTranslation("admin-audit");
  const when = useWhen();
  const { subject, recipient, body, state, error } = mail;
  return (
    <Entry
      head={
        <>
          <strong>{subject}</strong>
          <span>{recipient}</span>
        </>
      }
      about={<time>{when(mail.createdDate)}</time>}
    >
      <Outcome {...RESULTS[state]}>
        {t(`mail.state.${state}`)}
        {error !== null && ` · ${error}`}
      </Outcome>
      {body !== "" && (
        <Text
          maxW="48rem"
          mt="1"
          p="3"
          rounded="md"
          bg="bg.sunk"
          whiteSpace="pre-wrap"
          overflowWrap="anywhere"
          fontSize="label"
        >
          {body}
        </Text>
      )}
    </Entry>
  );
}
