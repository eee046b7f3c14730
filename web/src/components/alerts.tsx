import { Alert, Button } from "@chakra-ui/react";
import { TriangleAlertIcon, UnplugIcon } from "lucide-react";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";

interface ErrorNoteProps {
  children: ReactNode;
  /** Call again what failed: adds a button. */
  retry?: () => void;
  /** Another way to continue. */
  action?: ReactNode;
}

/** Show an error at its place, with a possible action. Each error of the server has a line of its own. */
export function ErrorNote({ children, retry, action }: ErrorNoteProps) {
  const { t } = useTranslation("common");
  return (
    <Alert.Root status="error" data-testid="error-note" role="alert" borderWidth="1px">
      <Alert.Indicator>
        <TriangleAlertIcon />
      </Alert.Indicator>
      <Alert.Content display="block" color="fg" whiteSpace="pre-line">
        {children}
      </Alert.Content>
      {retry && (
        <Button size="sm" variant="outline" onClick={retry}>
          {t("action.retry")}
        </Button>
      )}
      {action}
    </Alert.Root>
  );
}

export interface NoticeProps {
  title: ReactNode;
  detail?: ReactNode;
}

/** A strip across the page, under the header. Screen readers announce it once, not with every second of an age. */
function Strip({ icon, title, detail, children, solid }: NoticeStripProps & StripProps) {
  return (
    <Alert.Root
      status="neutral"
      variant={solid ? "solid" : "outline"}
      role="status"
      rounded="none"
      minH="12"
      px="page"
      py="1.5"
      {...(solid ? {} : { bg: "bg.panel", shadow: "none", borderBottomWidth: "1px" })}
    >
      <Alert.Indicator>{icon}</Alert.Indicator>
      <Alert.Content flexDirection="row" flexWrap="wrap" columnGap="3" rowGap="0">
        <Alert.Title fontWeight="semibold">{title}</Alert.Title>
        {detail && <Alert.Description color={solid ? undefined : "fg.muted"}>{detail}</Alert.Description>}
      </Alert.Content>
      {children}
    </Alert.Root>
  );
}

interface StripProps {
  solid?: boolean;
  children: ReactNode;
}

export interface NoticeStripProps extends NoticeProps {
  icon: ReactNode;
  /** Possible actions, and a way to dismiss the notice. */
  actions?: ReactNode;
}

/** Show information that is not a warning, under the header. */
export function NoticeStrip({ actions, ...strip }: NoticeStripProps) {
  return <Strip {...strip}>{actions}</Strip>;
}

/**
 * Warn that the page is not live.
 *
 * @param detail the age of the values on the page, and the recovery in progress
 */
export function LinkBanner({ action, ...notice }: NoticeProps & { action?: ReactNode }) {
  return (
    <Strip {...notice} icon={<UnplugIcon />} solid>
      {action}
    </Strip>
  );
}
