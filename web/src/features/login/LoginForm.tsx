import { Button } from "@chakra-ui/react";
import type { DemoAccounts } from "@mulkko/shared/rest/setup";
import { PASSWORD_MAX_LENGTH, USERNAME_MAX_LENGTH } from "@mulkko/shared/rules/login";
import { type FormEvent, useState } from "react";
import { Link } from "react-router-dom";
import { TextField } from "../../components/field.tsx";
import { useLabels } from "../../i18n/labels.ts";
import { useTranslation } from "../../i18n/use-translation.ts";
import { ApiError, errorCode } from "../../rest/errors.ts";
import { useExtensionAnswer } from "../../rest/extensions.ts";
import { useRest } from "../../rest/hooks.ts";
import { ErrorNote } from "../../ui/feedback/error-note.tsx";

/** Reason of the last failure; `seconds` if the server said how long to wait. */
type Failure = { code: string; seconds: number | null };

/** A farm API without codes can refuse a wrong password with any status. */
const isForeignNo = (error: unknown): boolean => error instanceof ApiError && !error.own && !error.temporary;

/** Form for username and password. A refusal keeps what was typed. */
export function LoginForm({ expired, demo = null }: { expired: boolean; demo?: DemoAccounts | null }) {
  const { t } = useTranslation("login");
  const { session } = useRest();
  const byMail = useExtensionAnswer("password-mail");
  const [id, setId] = useState("");
  const [password, setPassword] = useState("");
  const [tried, setTried] = useState(false);
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<Failure | null>(null);

  const attempt = async () => {
    setBusy(true);
    setFailure(null);
    try {
      await session.login(id, password);
    } catch (error) {
      const seconds = error instanceof ApiError ? error.retryAfterSeconds : null;
      setFailure({ code: isForeignNo(error) ? "invalid-credentials" : errorCode(error), seconds });
    } finally {
      setBusy(false);
    }
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setTried(true);
    if (id !== "" && password !== "" && !busy) void attempt();
  };
  const helper = (value: string, required: string, hint: string) =>
    value === "" ? (tried ? { error: required } : { hint: required }) : { hint };

  return (
    <form className="entrance__form" onSubmit={submit} noValidate>
      <h1 className="entrance__title">{t("title")}</h1>
      {expired && failure === null && <ErrorNote>{t("expired")}</ErrorNote>}
      {failure && <LoginFailure failure={failure} />}
      <TextField
        label={t("id")}
        name="username"
        autoComplete="username"
        maxLength={USERNAME_MAX_LENGTH}
        value={id}
        onChange={(event) => setId(event.target.value)}
        autoFocus
        {...helper(id, t("idRequired"), t("idHint"))}
      />
      <TextField
        label={t("password")}
        name="password"
        type="password"
        autoComplete="current-password"
        maxLength={PASSWORD_MAX_LENGTH}
        value={password}
        onChange={(event) => setPassword(event.target.value)}
        {...helper(password, t("passwordRequired"), t("passwordHint"))}
      />
      <Button type="submit" size="lg" width="full" loading={busy} loadingText={t("submitting")}>
        {t("submit")}
      </Button>
      {demo && (
        <div className="entrance__demo">
          <p>{t("demo", { password: demo.password })}</p>
          <ul>
            {demo.usernames.map((username) => (
              <li key={username}>
                <Button
                  size="sm"
                  variant="outline"
                  disabled={busy}
                  onClick={() => {
                    setId(username);
                    setPassword(demo.password);
                  }}
                >
                  {username}
                </Button>
              </li>
            ))}
          </ul>
        </div>
      )}
      {byMail !== false && (
        <Link className="entrance__link" to="/pages-recoverpw">
          {t("forgot")}
        </Link>
      )}
    </form>
  );
}

function LoginFailure({ failure }: { failure: Failure }) {
  const { t } = useTranslation("login");
  const { error } = useLabels();
  const { code, seconds } = failure;
  if (code === "invalid-credentials" || code === "unauthorized" || code === "not-found") {
    return <ErrorNote>{t("failed")}</ErrorNote>;
  }
  const wait = seconds === null || seconds === 0 ? "" : ` ${t("waitSeconds", { count: seconds })}`;
  return (
    <ErrorNote>
      {error(code)}
      {wait}
    </ErrorNote>
  );
}
