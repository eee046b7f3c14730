import { Button, chakra, Stack } from "@chakra-ui/react";
import type { DemoAccounts } from "@mulkko/shared/rest/setup";
import { PASSWORD_MAX_LENGTH, USERNAME_MAX_LENGTH } from "@mulkko/shared/rules/login";
import { useMutation } from "@tanstack/react-query";
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

/** Form for username and password. A refusal keeps what was typed. */
export function LoginForm({ expired, demo = null }: { expired: boolean; demo?: DemoAccounts | null }) {
  const { t } = useTranslation("login");
  const { session } = useRest();
  const byMail = useExtensionAnswer("password-mail");
  const [id, setId] = useState("");
  const [password, setPassword] = useState("");
  const [tried, setTried] = useState(false);
  const { mutate, isPending: busy, error } = useMutation({ mutationFn: () => session.login(id, password) });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setTried(true);
    if (id !== "" && password !== "" && !busy) mutate();
  };
  const helper = (value: string, required: string, hint: string) =>
    value === "" ? (tried ? { error: required } : { hint: required }) : { hint };

  return (
    <chakra.form display="grid" gridTemplateColumns="minmax(0, 1fr)" gap="5" onSubmit={submit} noValidate>
      <EntranceTitle>{t("title")}</EntranceTitle>
      {expired && error === null && <ErrorNote>{t("expired")}</ErrorNote>}
      {error && <LoginFailure error={error} />}
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

const WRONG = ["invalid-credentials", "unauthorized", "not-found"];

function LoginFailure({ error }: { error: Error }) {
  const { t } = useTranslation("login");
  const labels = useLabels();
  const code = errorCode(error);
  const refusal = error instanceof ApiError ? error : null;
  // A farm API without codes can refuse a wrong password with any status.
  const isForeignNo = refusal !== null && !refusal.own && !refusal.temporary;
  if (isForeignNo || WRONG.includes(code)) return <ErrorNote>{t("failed")}</ErrorNote>;
  const seconds = refusal?.retryAfterSeconds;
  return (
    <ErrorNote>
      {labels.error(code)}
      {seconds ? ` ${t("waitSeconds", { count: seconds })}` : ""}
    </ErrorNote>
  );
}
