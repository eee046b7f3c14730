import { Button, chakra, Grid } from "@chakra-ui/react";
import { isEmail, MAX_EMAIL_LENGTH } from "@mulkko/shared/rules/email";
import { useMutation } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { useTranslation } from "react-i18next";
import { requestRecovery } from "../../api/account.ts";
import { useExtension, useExtensionAnswer } from "../../api/extensions.ts";
import { useRest } from "../../api/hooks.ts";
import { BESIDE_FORM, Entrance, EntranceNote, EntranceTitle } from "../../components/entrance.tsx";
import { TextField } from "../../components/field.tsx";
import { TextLink } from "../../components/text-link.tsx";
import { RefusalNote } from "../../domain/account/RefusalNote.tsx";

/** `/pages-recoverpw`: request an e-mail with a link. The answer is the same for unknown addresses. */
export function RecoverPage() {
  const { t } = useTranslation("recover");
  const [email, setEmail] = useState("");
  const [sent, setSent] = useState(false);
  const isOutbox = useExtension("mail-outbox");
  const byMail = useExtensionAnswer("password-mail");
  return (
    <Entrance>
      {byMail === false ? (
        <Grid templateColumns="minmax(0, 1fr)" gap="5">
          <EntranceTitle>{t("noServer.title")}</EntranceTitle>
          <EntranceNote>{t("notOffered")}</EntranceNote>
        </Grid>
      ) : sent ? (
        <Grid templateColumns="minmax(0, 1fr)" gap="5">
          <EntranceTitle>{t(isOutbox ? "noServer.title" : "sent.title")}</EntranceTitle>
          <EntranceNote role="status">{t(isOutbox ? "noServer.text" : "sent.text", { email })}</EntranceNote>
          <p>{t(isOutbox ? "noServer.none" : "sent.none")}</p>
          <Button variant="outline" size="lg" onClick={() => setSent(false)}>
            {t("sent.again")}
          </Button>
        </Grid>
      ) : (
        <RecoverForm isOutbox={isOutbox} email={email} onType={setEmail} onSent={() => setSent(true)} />
      )}
      <TextLink look={BESIDE_FORM} to="/login">
        {t("toLogin")}
      </TextLink>
    </Entrance>
  );
}

interface RecoverFormProps {
  /** True if the server cannot send e-mail: an administrator passes the links on. */
  isOutbox: boolean;
  email: string;
  onType: (email: string) => void;
  onSent: () => void;
}

function RecoverForm({ isOutbox, email, onType, onSent }: RecoverFormProps) {
  const { t } = useTranslation("recover");
  const { client } = useRest();
  const [tried, setTried] = useState(false);
  const address = email.trim();
  const fault = address === "" ? t("emailRequired") : isEmail(address) ? undefined : t("emailWrong");

  const ask = useMutation({ mutationFn: () => requestRecovery(client, address), onSuccess: onSent });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setTried(true);
    if (fault === undefined && !ask.isPending) ask.mutate();
  };
  return (
    <chakra.form display="grid" gridTemplateColumns="minmax(0, 1fr)" gap="5" onSubmit={submit} noValidate>
      <EntranceTitle>{t("title")}</EntranceTitle>
      <p>{t(isOutbox ? "noServer.ask" : "text")}</p>
      {ask.error && <RefusalNote error={ask.error} />}
      <TextField
        label={t("email")}
        hint={t("emailHint")}
        error={tried ? fault : undefined}
        required
        name="email"
        type="email"
        autoComplete="email"
        maxLength={MAX_EMAIL_LENGTH}
        value={email}
        onChange={(event) => onType(event.target.value)}
        autoFocus
      />
      <Button type="submit" size="lg" width="full" loading={ask.isPending} loadingText={t("sending")}>
        {t(isOutbox ? "noServer.submit" : "submit")}
      </Button>
    </chakra.form>
  );
}
