import { Button } from "@chakra-ui/react";
import { isEmail, MAX_EMAIL_LENGTH } from "@mulkko/shared/rules/email";
import { type FormEvent, useState } from "react";
import { Link } from "react-router-dom";
import { TextField } from "../../components/field.tsx";
import { useTranslation } from "../../i18n/use-translation.ts";
import { useExtension, useExtensionAnswer } from "../../rest/extensions.ts";
import { useRest } from "../../rest/hooks.ts";
import { requestRecovery } from "../../rest/recover.ts";
import { Entrance } from "../../ui/layout/entrance.tsx";
import { type Refusal, RefusalNote, refusalOf } from "./RefusalNote.tsx";

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
        <div className="entrance__form">
          <h1 className="entrance__title">{t("kept.title")}</h1>
          <p className="entrance__note">{t("notOffered")}</p>
        </div>
      ) : sent ? (
        <div className="entrance__form">
          <h1 className="entrance__title">{t(isOutbox ? "kept.title" : "sent.title")}</h1>
          <p role="status" className="entrance__note">
            {t(isOutbox ? "kept.text" : "sent.text", { email })}
          </p>
          <p>{t(isOutbox ? "kept.none" : "sent.none")}</p>
          <Button variant="outline" size="lg" onClick={() => setSent(false)}>
            {t("sent.again")}
          </Button>
        </div>
      ) : (
        <RecoverForm isOutbox={isOutbox} email={email} onType={setEmail} onSent={() => setSent(true)} />
      )}
      <Link className="entrance__link" to="/login">
        {t("toLogin")}
      </Link>
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
  const [busy, setBusy] = useState(false);
  const [refusal, setRefusal] = useState<Refusal | null>(null);
  const address = email.trim();
  const fault = address === "" ? t("emailRequired") : isEmail(address) ? undefined : t("emailWrong");

  const ask = async () => {
    setBusy(true);
    setRefusal(null);
    try {
      await requestRecovery(client, address);
      onSent();
    } catch (error) {
      setRefusal(refusalOf(error));
    } finally {
      setBusy(false);
    }
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setTried(true);
    if (fault === undefined && !busy) void ask();
  };
  return (
    <form className="entrance__form" onSubmit={submit} noValidate>
      <h1 className="entrance__title">{t("title")}</h1>
      <p>{t(isOutbox ? "kept.ask" : "text")}</p>
      {refusal && <RefusalNote refusal={refusal} />}
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
      <Button type="submit" size="lg" width="full" loading={busy} loadingText={t("sending")}>
        {t(isOutbox ? "kept.submit" : "submit")}
      </Button>
    </form>
  );
}
