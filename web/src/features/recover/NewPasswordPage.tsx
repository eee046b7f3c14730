import { Button, chakra, Grid } from "@chakra-ui/react";
import { hasPasswordLength, PASSWORD_MAX_LENGTH, PASSWORD_MIN_LENGTH } from "@mulkko/shared/rules/login";
import { type UseMutationResult, useMutation } from "@tanstack/react-query";
import { type FormEvent, type ReactNode, useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import { useNavigate, useSearchParams } from "react-router-dom";
import { confirmRecovery } from "../../api/account.ts";
import { ApiError } from "../../api/errors.ts";
import { useRest } from "../../api/hooks.ts";
import { ErrorNote } from "../../components/alerts.tsx";
import { BESIDE_FORM, Entrance, EntranceNote, EntranceTitle } from "../../components/entrance.tsx";
import { TextField } from "../../components/field.tsx";
import { TextLink } from "../../components/text-link.tsx";
import { RefusalNote } from "../../domain/account/RefusalNote.tsx";

/** New password with the token of the link. */
interface Chosen {
  readonly token: string;
  readonly password: string;
}

/** `/recover?token=`: target of the mailed link. The token leaves the address bar and the history at once. */
export function NewPasswordPage() {
  const { t } = useTranslation("recover");
  const [params] = useSearchParams();
  const navigate = useNavigate();
  const [token] = useState(() => params.get("token"));
  const shown = params.has("token");
  useEffect(() => {
    if (shown) void navigate("/recover", { replace: true });
  }, [shown, navigate]);
  const { client } = useRest();
  const change = useMutation({
    mutationFn: (chosen: Chosen) => confirmRecovery(client, chosen.token, chosen.password),
  });
  const isSpent = refusedPart(change.error) === "token";
  return (
    <Entrance>
      {change.isSuccess ? (
        <Answer title={t("new.done")} to="/login" next={t("toLogin")}>
          <EntranceNote role="status">{t("new.doneText")}</EntranceNote>
        </Answer>
      ) : token === null || isSpent ? (
        <Answer title={t("new.title")} to="/pages-recoverpw" next={t("new.again")}>
          <ErrorNote>{t(token === null ? "new.missing" : "new.spent")}</ErrorNote>
        </Answer>
      ) : (
        <NewPasswordForm token={token} change={change} />
      )}
      {!change.isSuccess && (
        <TextLink look={BESIDE_FORM} to="/login">
          {t("toLogin")}
        </TextLink>
      )}
    </Entrance>
  );
}

interface AnswerProps {
  title: string;
  /** Address of the next step. */
  to: string;
  next: string;
  children: ReactNode;
}

/** Answer in place of the form, with the next step. */
function Answer({ title, to, next, children }: AnswerProps) {
  const navigate = useNavigate();
  return (
    <Grid templateColumns="minmax(0, 1fr)" gap="5">
      <EntranceTitle>{title}</EntranceTitle>
      {children}
      <Button size="lg" onClick={() => void navigate(to)}>
        {next}
      </Button>
    </Grid>
  );
}

interface NewPasswordFormProps {
  token: string;
  change: UseMutationResult<void, Error, Chosen>;
}

function NewPasswordForm({ token, change }: NewPasswordFormProps) {
  const { t } = useTranslation("recover");
  const [password, setPassword] = useState("");
  const [confirm, setConfirm] = useState("");
  const [tried, setTried] = useState(false);
  const faults = passwordFaults(password, confirm);
  const { isPending: busy, error } = change;
  const part = refusedPart(error);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setTried(true);
    if (!faults.password && !faults.confirm && !busy) change.mutate({ token, password });
  };
  const passwordError =
    tried && faults.password
      ? t(`new.${faults.password}`)
      : part === "password" && change.variables?.password === password
        ? t("new.passwordRefused")
        : undefined;
  return (
    <chakra.form display="grid" gridTemplateColumns="minmax(0, 1fr)" gap="5" onSubmit={submit} noValidate>
      <EntranceTitle>{t("new.title")}</EntranceTitle>
      {error && part === null && <RefusalNote error={error} />}
      <TextField
        label={t("new.password")}
        hint={t("new.passwordHint")}
        error={passwordError}
        required
        name="password"
        type="password"
        autoComplete="new-password"
        maxLength={PASSWORD_MAX_LENGTH}
        value={password}
        onChange={(event) => setPassword(event.target.value)}
        autoFocus
      />
      <TextField
        label={t("new.confirm")}
        error={tried && faults.confirm ? t(`new.${faults.confirm}`) : undefined}
        required
        name="confirm"
        type="password"
        autoComplete="new-password"
        maxLength={PASSWORD_MAX_LENGTH}
        value={confirm}
        onChange={(event) => setConfirm(event.target.value)}
      />
      <Button type="submit" size="lg" width="full" loading={busy} loadingText={t("sending")}>
        {t("new.submit")}
      </Button>
    </chakra.form>
  );
}

/** Faults of a new password and its repetition; empty if both are valid. */
interface PasswordFaults {
  readonly password?: "passwordRequired" | "passwordWrong";
  readonly confirm?: "confirmWrong";
}

export function passwordFaults(password: string, confirm: string): PasswordFaults {
  if (password === "") return { password: "passwordRequired" };
  const fits = hasPasswordLength(password, PASSWORD_MIN_LENGTH.registration);
  return {
    ...(fits ? {} : { password: "passwordWrong" as const }),
    ...(confirm === password ? {} : { confirm: "confirmWrong" as const }),
  };
}

/** Return the part that the server refused: the link or the password; null for any other error. */
function refusedPart(error: unknown): "token" | "password" | null {
  if (!(error instanceof ApiError)) return null;
  const named = error.fields.map(({ field }) => field);
  if (named.includes("token")) return "token";
  return named.includes("password") ? "password" : null;
}
