import type { SignInEntry } from "@mulkko/shared/rest/admin";
import { CheckIcon, TriangleAlertIcon } from "lucide-react";
import { useTranslation } from "react-i18next";
import { Link } from "react-router-dom";
import { SIGN_INS } from "../../api/admin.ts";
import { useListAddress } from "../../components/table-address.ts";
import { deviceName } from "../../domain/account/signed-in-device.ts";
import { Filters, useLog } from "./Filters.tsx";
import { Entry, Outcome, PagedList, useWhen } from "./PagedList.tsx";

const OUTCOMES = [
  "signed-in",
  "wrong-password",
  "unknown-name",
  "disabled",
] as const satisfies readonly SignInEntry["outcome"][];

/** List successful and failed sign-ins: account, address and browser. */
export function SignInList() {
  const { t } = useTranslation("admin-audit");
  const address = useListAddress();
  const list = useLog(SIGN_INS, address, "outcome");
  return (
    <>
      <Filters
        address={address}
        search={t("signIn.search")}
        choice={{
          name: "outcome",
          label: t("filter.outcome"),
          options: OUTCOMES.map((value) => ({ value, label: t(`signIn.outcome.${value}`) })),
        }}
      />
      <PagedList label={t("sign-ins")} list={list} address={address} none={t("signIn.none")}>
        {(signIn) => <SignIn signIn={signIn} />}
      </PagedList>
    </>
  );
}

function SignIn({ signIn }: { signIn: SignInEntry }) {
  const { t } = useTranslation("admin-audit");
  const when = useWhen();
  const { userId, username, outcome, attempts, address, userAgent } = signIn;
  const isIn = outcome === "signed-in";
  return (
    <Entry
      head={
        <>
          <strong>
            {userId === null ? (
              username || t("signIn.unknown")
            ) : (
              <Link to={`/adminpage/user?${new URLSearchParams({ id: `${userId}` })}`}>{username}</Link>
            )}
          </strong>
          <span>{address}</span>
        </>
      }
      about={
        <>
          <span title={userAgent}>{deviceName(userAgent) || userAgent}</span>
          <time>{when(signIn.createdDate)}</time>
        </>
      }
    >
      <Outcome
        kind={isIn ? "confirmed" : "refused"}
        icon={isIn ? <CheckIcon size={18} /> : <TriangleAlertIcon size={18} />}
      >
        {t(`signIn.outcome.${outcome}`)}
        {attempts > 1 && ` · ${t("signIn.attempts", { count: attempts })}`}
      </Outcome>
    </Entry>
  );
}
