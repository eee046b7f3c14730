import { Button, chakra, Stack } from "@chakra-ui/react";
import type { DemoAccounts } from "@mulkko/shared/rest/setup";
import { PASSWORD_MAX_LENGTH, USERNAME_MAX_LENGTH } from "@mulkko/shared/rules/login";
import { type FormEvent, useState } from "react";
import { useTranslation } from "react-i18next";
import { ApiError, errorCode } from "../../api/errors.ts";
import { useExtensionAnswer } from "../../api/extensions.ts";
import { useRest } from "../../api/hooks.ts";
import { ErrorNote } from "../../components/alerts.tsx";
import { BESIDE_FORM, EntranceTitle } from "../../components/entrance.tsx";
import { TextField } from "../../components/field.tsx";
import { TextLink } from "../../components/text-link.tsx";
import { useLabels } from "../../i18n/labels.ts";

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
    <chakra.form display="grid" gridTemplateColumns="minmax(0, 1fr)" gap="5" onSubmit={submit} noValidate>
      <EntranceTitle>{t("title")}</EntranceTitle>
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
        <Stack gap="2" color="fg.muted" css={{ "& ul": { display: "flex", flexWrap: "wrap", gap: "2" } }}>
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
        </Stack>
      )}
      {byMail !== false && (
        <TextLink look={BESIDE_FORM} to="/pages-recoverpw">
          {t("forgot")}
        </TextLink>
      )}
    </chakra.form>
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
