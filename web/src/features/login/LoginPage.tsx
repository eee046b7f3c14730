import { Button, chakra, Stack } from "@chakra-ui/react";
import { ACCOUNT_LENGTHS } from "@mulkko/shared/rest/account";
import type { DemoAccounts, SetupState } from "@mulkko/shared/rest/setup";
import { PASSWORD_MAX_LENGTH, USERNAME_MAX_LENGTH } from "@mulkko/shared/rules/login";
import { parse } from "@mulkko/shared/schema/parse";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { type ComponentProps, type FormEvent, useState } from "react";
import { useTranslation } from "react-i18next";
import { Navigate, useLocation } from "react-router-dom";
import { Type } from "typebox";
import { fetchSetup, makeFirstAdministrator, SETUP } from "../../api/account.ts";
import { ApiError, errorCode } from "../../api/errors.ts";
import { useExtensionAnswer } from "../../api/extensions.ts";
import { useRest, useSession } from "../../api/hooks.ts";
import { useRestQuery } from "../../api/queries.tsx";
import { ErrorNote } from "../../components/alerts.tsx";
import { BESIDE_FORM, Entrance, EntranceTitle } from "../../components/entrance.tsx";
import { TextField } from "../../components/field.tsx";
import { TextLink } from "../../components/text-link.tsx";
import { RefusalNote } from "../../domain/account/RefusalNote.tsx";
import { useLabels } from "../../i18n/labels.ts";

/** Reasons for a logout that the login page says. */
const SHOWN_REASONS = ["expired", "ended"] as const;
type ShownReason = (typeof SHOWN_REASONS)[number];

/** State of the redirect to /login: the requested page, and the reason. */
const LoginState = Type.Object({
  origin: Type.Union([Type.String(), Type.Null()]),
  reason: Type.String(),
});

/** Target of a login without an origin: the start page of the user's role. */
const HOME = "/";

/** Parse the redirect's state. An origin that is not a path of this client is replaced by the home page. */
export function readLoginState(state: unknown): { origin: string; reason: ShownReason | null } {
  const parsed = parse(LoginState, state);
  if (!parsed.ok) return { origin: HOME, reason: null };
  const { origin, reason: given } = parsed.value;
  const isPath = origin !== null && /^\/(?![/\\])/.test(origin) && !origin.startsWith("/log");
  return { origin: isPath ? origin : HOME, reason: SHOWN_REASONS.find((each) => each === given) ?? null };
}

/** Form for username and password. A refusal keeps what was typed. */
export function LoginForm({
  reason = null,
  demo = null,
}: {
  reason?: ShownReason | null;
  demo?: DemoAccounts | null;
}) {
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
      {reason && error === null && <ErrorNote>{t(reason)}</ErrorNote>}
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
          <p>{demo.password ? t("demo", { password: demo.password }) : t("demoPrinted")}</p>
          <ul>
            {demo.usernames.map((username) => (
              <li key={username}>
                <Button
                  size="sm"
                  variant="outline"
                  disabled={busy}
                  onClick={() => {
                    setId(username);
                    setPassword(demo.password ?? "");
                  }}
                >
                  {username}
                </Button>
              </li>
            ))}
          </ul>
          {demo.ownDevices && <p>{t("demoOwnDevices")}</p>}
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
  // A farm API without codes can refuse a wrong password with any status.
  const isForeignNo = error instanceof ApiError && !error.own && !error.temporary;
  if (isForeignNo || WRONG.includes(errorCode(error))) return <ErrorNote>{t("failed")}</ErrorNote>;
  return <RefusalNote error={error} />;
}

type FieldName = "code" | "nickname" | "userAddress" | "username" | "password";
type Entries = Record<FieldName, string>;

/** Properties of each field's input. */
const INPUTS: Readonly<Record<FieldName, Partial<ComponentProps<typeof TextField>>>> = {
  code: { autoComplete: "one-time-code", maxLength: 64, autoFocus: true },
  nickname: { autoComplete: "name", maxLength: ACCOUNT_LENGTHS.nickname },
  userAddress: { autoComplete: "email", maxLength: ACCOUNT_LENGTHS.address, type: "email" },
  username: { autoComplete: "username", maxLength: USERNAME_MAX_LENGTH },
  password: { autoComplete: "new-password", maxLength: PASSWORD_MAX_LENGTH, type: "password" },
};
const FIELDS = ["code", "nickname", "userAddress", "username", "password"] as const;
const EMPTY: Entries = { code: "", nickname: "", userAddress: "", username: "", password: "" };

/** Return the field that the server refused; undefined for any other error. */
function wrongField(error: Error | null): FieldName | undefined {
  if (!(error instanceof ApiError)) return undefined;
  const named = error.fields[0]?.field;
  return error.code === "forbidden" ? "code" : FIELDS.find((each) => each === named);
}

/**
 * First page of an empty farm, which creates its administrator and signs in. A refusal keeps what was typed.
 */
function SetupForm({ onMade }: { onMade: () => void }) {
  const { t, i18n } = useTranslation("login");
  const { session, client } = useRest();
  const { error: errorTexts } = useLabels();
  const [entries, setEntries] = useState(EMPTY);
  const [tried, setTried] = useState(false);
  const attempt = useMutation({
    async mutationFn() {
      await makeFirstAdministrator(client, { ...entries, language: i18n.language });
      await session.login(entries.username, entries.password);
    },
    onError(error) {
      // Another user has created the administrator already: show the login.
      if (errorCode(error) === "conflict") onMade();
    },
  });
  const { isPending: busy, error } = attempt;
  const wrong = wrongField(error);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setTried(true);
    if (FIELDS.every((field) => entries[field].trim() !== "") && !busy) attempt.mutate();
  };
  return (
    <chakra.form display="grid" gridTemplateColumns="minmax(0, 1fr)" gap="5" onSubmit={submit} noValidate>
      <EntranceTitle>{t("setup.title")}</EntranceTitle>
      <p>{t("setup.text")}</p>
      {error && wrong === undefined && <ErrorNote>{errorTexts(errorCode(error))}</ErrorNote>}
      {FIELDS.map((name) => (
        <div key={name}>
          <TextField
            {...INPUTS[name]}
            label={t(`setup.${name}`)}
            name={name}
            value={entries[name]}
            onChange={(event) => setEntries({ ...entries, [name]: event.target.value })}
            hint={t(`setup.${name}Hint`)}
            error={
              wrong === name
                ? t(`setup.${name}Wrong`)
                : tried && entries[name].trim() === ""
                  ? t("setup.required")
                  : undefined
            }
          />
        </div>
      ))}
      <Button type="submit" size="lg" width="full" loading={busy} loadingText={t("submitting")}>
        {t("setup.submit")}
      </Button>
    </chakra.form>
  );
}

const READY: SetupState = { needed: false };

/**
 * Login page: a picture of the farm at dawn and the form. A farm without an administrator has the form that creates
 * one. Until that is known, show the login, which reports a failure on the first attempt.
 */
export function LoginPage() {
  const session = useSession();
  const queries = useQueryClient();
  const { data: setup } = useRestQuery(SETUP, fetchSetup);
  const { origin, reason } = readLoginState(useLocation().state);
  if (session.state === "signed-in") return <Navigate to={origin} replace />;
  return (
    <Entrance>
      {setup?.needed ? (
        <SetupForm onMade={() => queries.setQueryData(SETUP, READY)} />
      ) : (
        <LoginForm reason={reason} demo={setup?.demo ?? null} />
      )}
    </Entrance>
  );
}
