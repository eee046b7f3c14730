import { Button, chakra, Grid } from "@chakra-ui/react";
import { isEmail, MAX_EMAIL_LENGTH } from "@mulkko/shared/rules/email";
import { type UseMutationResult, useMutation } from "@tanstack/react-query";
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
  const { client } = useRest();
  const ask = useMutation({ mutationFn: (address: string) => requestRecovery(client, address) });
  const isOutbox = useExtension("mail-outbox");
  const byMail = useExtensionAnswer("password-mail");
  return (
    <Entrance>
      {byMail === false ? (
        <Grid templateColumns="minmax(0, 1fr)" gap="5">
          <EntranceTitle>{t("noServer.title")}</EntranceTitle>
          <EntranceNote>{t("notOffered")}</EntranceNote>
        </Grid>
      ) : ask.isSuccess ? (
        <Grid templateColumns="minmax(0, 1fr)" gap="5">
          <EntranceTitle>{t(isOutbox ? "noServer.title" : "sent.title")}</EntranceTitle>
          <EntranceNote role="status">{t(isOutbox ? "noServer.text" : "sent.text", { email })}</EntranceNote>
          <p>{t(isOutbox ? "noServer.none" : "sent.none")}</p>
          <Button variant="outline" size="lg" onClick={ask.reset}>
            {t("sent.again")}
          </Button>
        </Grid>
      ) : (
        <RecoverForm isOutbox={isOutbox} email={email} onType={setEmail} ask={ask} />
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
  ask: UseMutationResult<void, Error, string>;
}

function RecoverForm({ isOutbox, email, onType, ask }: RecoverFormProps) {
  const { t } = useTranslation("recover");
  const [tried, setTried] = useState(false);
  const address = email.trim();
  const fault = address === "" ? t("emailRequired") : isEmail(address) ? undefined : t("emailWrong");
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setTried(true);
    if (fault === undefined && !ask.isPending) ask.mutate(address);
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
