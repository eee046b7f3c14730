import type { ReactNode } from "react";
import { ChartSection } from "./chart-section.tsx";
import { FeedbackSection } from "./feedback-section.tsx";
import "./gallery.css";
import { FormSection } from "./form-section.tsx";
import { FrameSection } from "./frame-section.tsx";
import { IconSection } from "./icon-section.tsx";
import { ListSection } from "./list-section.tsx";
import { MapSection } from "./map-section.tsx";
import { PaletteSection } from "./palette-section.tsx";
import { ReadingSection } from "./reading-section.tsx";
import { SceneSection } from "./scene-section.tsx";
import { ValveSection } from "./valve-section.tsx";

const sections: Readonly<Record<string, () => ReactNode>> = {
  readings: ReadingSection,
  valves: ValveSection,
  feedback: FeedbackSection,
  forms: FormSection,
  lists: ListSection,
  maps: MapSection,
  scenes: SceneSection,
  charts: ChartSection,
  icons: IconSection,
  palette: PaletteSection,
};

/**
 * Show all components without a server: run `pnpm dev` and open `/gallery.html`. `?section=valves` shows one
 * part, `?section=frame` the page frame.
 */
export function Gallery() {
  const chosen = new URLSearchParams(location.search).get("section");
  if (chosen === "frame") return <FrameSection />;
  return (
    <div className="gallery">
      {Object.entries(sections)
        .filter(([name]) => chosen === null || chosen === name)
        .map(([name, Section]) => (
          <Section key={name} />
        ))}
    </div>
  );
}
