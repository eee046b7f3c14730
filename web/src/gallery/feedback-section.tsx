import { Button } from "@chakra-ui/react";
import { useTranslation } from "../i18n/use-translation.ts";
import { AlarmBadge } from "../ui/feedback/alarm-badge.tsx";
import { EmptyState } from "../ui/feedback/empty-state.tsx";
import { ErrorNote } from "../ui/feedback/error-note.tsx";
import { LinkBanner } from "../ui/feedback/link-banner.tsx";
import { LinkStrip } from "../ui/feedback/link-strip.tsx";
import { Skeleton } from "../ui/feedback/skeleton.tsx";
import { toaster } from "../ui/feedback/toaster.tsx";
import { Card } from "../ui/layout/card.tsx";
import { Logo } from "../ui/layout/logo.tsx";
import { EmptyField } from "../ui/scenes/empty-field.tsx";

/** Show feedback components. */
export function FeedbackSection() {
  const { t } = useTranslation("common");
  return (
    <Card title="Feedback">
      <div style={{ display: "grid", gap: 16 }}>
        <LinkStrip
          links={{
            relay: { state: "up", ageMs: 3_000 },
            upstream: { state: "degraded", ageMs: 64_000 },
            device: { state: "up", ageMs: 12_000 },
          }}
        />
        <LinkStrip
          links={{
            relay: { state: "down", ageMs: 41_000 },
            upstream: { state: "unknown", ageMs: null },
            device: { state: "clock", ageMs: 41_000 },
          }}
        />
        <LinkBanner title={t("link.notLive")} detail={t("link.asOf", { time: "14:05" })} />
        <ErrorNote
          action={
            <Button size="sm" variant="outline">
              {t("action.retry")}
            </Button>
          }
        >
          {t("error.upstream-down")}
        </ErrorNote>
        <div className="gallery__row">
          <AlarmBadge priority={1} pulsing />
          <AlarmBadge priority={2} />
          <AlarmBadge priority={3} />
          <Logo size={48} flowing />
          <Skeleton width="12rem" height="2rem" />
          <Button
            size="sm"
            variant="outline"
            onClick={() => toaster.create({ type: "error", title: t("error.network") })}
          >
            toast
          </Button>
        </div>
        <EmptyState scene={<EmptyField />} title={t("state.empty")}>
          {t("app.claim")}
        </EmptyState>
      </div>
    </Card>
  );
}
