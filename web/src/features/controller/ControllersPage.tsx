import { useMemo } from "react";
import { waterNow } from "../../farm/last-report.ts";
import { NOTHING_KNOWN, nextOfChannels } from "../../farm/next-watering.ts";
import { UntilKnown } from "../../farm/UntilKnown.tsx";
import { usePreview } from "../../farm/use-preview.ts";
import { useTranslation } from "../../i18n/use-translation.ts";
import { useKnowsPresent } from "../../live/hooks.ts";
import { OwnLink } from "../../reading/OwnLink.tsx";
import { EmptyState } from "../../ui/feedback/empty-state.tsx";
import { Skeleton } from "../../ui/feedback/skeleton.tsx";
import { PageHeading } from "../../ui/layout/page-heading.tsx";
import { WaterGate } from "../../ui/scenes/water-gate.tsx";
import { BoxCard } from "./BoxCard.tsx";
import { useBoxGroups } from "./use-boxes.ts";
import "./controllers.css";

/** All controllers with their channels, under their farms: which water runs, and which valve is where. */
export function ControllersPage() {
  const { t } = useTranslation("controller");
  const groups = useBoxGroups();
  const known = useKnowsPresent();
  const { value: preview } = usePreview();
  const next = useMemo(() => (preview ? nextOfChannels(preview) : NOTHING_KNOWN), [preview]);
  const boxes = [...new Set(groups.flatMap(({ things }) => things))];
  const water = boxes.flatMap(({ channels }) => channels).map(({ value }) => waterNow(value));
  const running = water.filter((each) => each === "runs").length;
  const unsure = water.filter((each) => each === "ran").length;
  if (boxes.length === 0) {
    return (
      <UntilKnown loading={<BoxesLoading />}>
        <EmptyState
          scene={<WaterGate />}
          title={t("empty")}
          action={<OwnLink to="/cotadd">{t("addFirst")}</OwnLink>}
        />
      </UntilKnown>
    );
  }
  return (
    <>
      <PageHeading
        title={t("title")}
        note={
          running + unsure === 0
            ? t(known ? "noneRunning" : "runningUnknown")
            : [
                ...(running > 0 ? [t("running", { count: running })] : []),
                ...(unsure > 0 ? [t("unsure", { count: unsure })] : []),
              ].join(" · ")
        }
      />
      {groups.map(({ farm, things }) => (
        <section key={farm?.id ?? ""} className="controllers__group">
          {(groups.length > 1 || farm) && <h2 className="controllers__farm">{farm?.name ?? t("noFarm")}</h2>}
          <div className="controllers__boxes">
            {things.map((box) => (
              <BoxCard key={box.id} box={box} next={next} />
            ))}
          </div>
        </section>
      ))}
    </>
  );
}

/** The list as it will stand. */
function BoxesLoading() {
  const { t } = useTranslation("controller");
  return (
    <>
      <PageHeading title={t("title")} />
      <div className="controllers__boxes" aria-busy>
        {["1", "2"].map((key) => (
          <Skeleton key={key} height="10rem" />
        ))}
      </div>
    </>
  );
}
