import { Button, chakra } from "@chakra-ui/react";
import { ACCOUNT_LENGTHS } from "@mulkko/shared/rest/account";
import type { SetupState } from "@mulkko/shared/rest/setup";
import { PASSWORD_MAX_LENGTH, USERNAME_MAX_LENGTH } from "@mulkko/shared/rules/login";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { useTranslation } from "react-i18next";
import { Navigate, useLocation } from "react-router-dom";
import { fetchSetup, makeFirstAdministrator } from "../../api/account.ts";
import { ApiError, errorCode } from "../../api/errors.ts";
import { useRest, useSession } from "../../api/hooks.ts";
import { useRestQuery } from "../../api/queries.tsx";
import { ErrorNote } from "../../components/alerts.tsx";
import { Entrance, EntranceTitle } from "../../components/entrance.tsx";
import { TextField } from "../../components/field.tsx";
import { useLabels } from "../../i18n/labels.ts";
import { LoginForm } from "./LoginForm.tsx";
import { readLoginState } from "./origin.ts";

const FIELDS = ["code", "nickname", "userAddress", "username", "password"] as const;
type FieldName = (typeof FIELDS)[number];
type Entries = Record<FieldName, string>;

const AUTO_COMPLETE: Entries = {
  code: "one-time-code",
  nickname: "name",
  userAddress: "email",
  username: "username",
  password: "new-password",
};

const MAX_LENGTH: Record<FieldName, number> = {
  code: 64,
  nickname: ACCOUNT_LENGTHS.nickname,
  userAddress: ACCOUNT_LENGTHS.address,
  username: USERNAME_MAX_LENGTH,
  password: PASSWORD_MAX_LENGTH,
};
const TYPES: Partial<Entries> = { userAddress: "email", password: "password" };
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
  const { error: errorWords } = useLabels();
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
  const field = (name: FieldName) => (
    <TextField
      label={t(`setup.${name}`)}
      name={name}
      type={TYPES[name] ?? "text"}
      autoComplete={AUTO_COMPLETE[name]}
      maxLength={MAX_LENGTH[name]}
      value={entries[name]}
      onChange={(event) => setEntries({ ...entries, [name]: event.target.value })}
      autoFocus={name === "code"}
      hint={t(`setup.${name}Hint`)}
      error={
        wrong === name
          ? t(`setup.${name}Wrong`)
          : tried && entries[name].trim() === ""
            ? t("setup.required")
            : undefined
      }
    />
  );
  return (
    <chakra.form display="grid" gridTemplateColumns="minmax(0, 1fr)" gap="5" onSubmit={submit} noValidate>
      <EntranceTitle>{t("setup.title")}</EntranceTitle>
      <p>{t("setup.text")}</p>
      {error && wrong === undefined && <ErrorNote>{errorWords(errorCode(error))}</ErrorNote>}
      {FIELDS.map((name) => (
        <div key={name}>{field(name)}</div>
      ))}
      <Button type="submit" size="lg" width="full" loading={busy} loadingText={t("submitting")}>
        {t("setup.submit")}
      </Button>
    </chakra.form>
  );
}

/** Login page: a picture of the farm at dawn and the form. */
export function LoginPage() {
  const session = useSession();
  const setup = useSetup();
  const { origin, expired } = readLoginState(useLocation().state);
  if (session.state === "signed-in") return <Navigate to={origin} replace />;
  return (
    <Entrance>
      {setup.needed ? (
        <SetupForm onMade={setup.done} />
      ) : (
        <LoginForm expired={expired} demo={setup.demo ?? null} />
      )}
    </Entrance>
  );
}

const SETUP = ["setup"];
const READY: SetupState = { needed: false };

/**
 * Load the state that selects the login page's form: a farm without an administrator, or a demo. Until it is
 * known the page shows the login, which reports a failure on the first attempt.
 */
function useSetup(): SetupState & { done: () => void } {
  const queries = useQueryClient();
  const { data } = useRestQuery(SETUP, fetchSetup);
  return { ...(data ?? READY), done: () => queries.setQueryData(SETUP, READY) };
}
