import { cleanup, fireEvent, render as renderPlain, screen } from "@testing-library/react";
import type { ReactElement } from "react";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { provideBrowserParts } from "../testing/browser-parts.ts";
import { speakKorean } from "../testing/speak-korean.ts";
import { ChoiceSegments } from "./choice.tsx";
import { UiProvider } from "./provider.tsx";

const CHOICES = [
  { value: "day", label: "day" },
  { value: "week", label: "week" },
] as const;

const render = (element: ReactElement) => renderPlain(element, { wrapper: UiProvider });

describe("[choice-segments]", () => {
  beforeEach(async () => {
    provideBrowserParts();
    await speakKorean();
  });
  afterEach(cleanup);

  it("[choice-segments] renders a named radio group with the chosen radio checked", () => {
    render(<ChoiceSegments label="range" value="week" choices={CHOICES} onChoose={() => undefined} />);
    expect(screen.getByRole("radiogroup", { name: "range" })).not.toBeNull();
    expect(screen.getByRole("radio", { name: "week", checked: true })).not.toBeNull();
    expect(screen.getByRole("radio", { name: "day", checked: false })).not.toBeNull();
  });

  it("[choice-segments] reports a press and waits for its owner to change the value", () => {
    const chosen: string[] = [];
    const draw = (value: "day" | "week") => (
      <ChoiceSegments label="range" value={value} choices={CHOICES} onChoose={(each) => chosen.push(each)} />
    );
    const { rerender } = render(draw("day"));
    fireEvent.click(screen.getByRole("radio", { name: "week" }));
    expect(chosen).toEqual(["week"]);
    expect(screen.getByRole("radio", { name: "day", checked: true })).not.toBeNull();
    rerender(draw("week"));
    expect(screen.getByRole("radio", { name: "week", checked: true })).not.toBeNull();
  });

  it("[choice-segments] keeps two groups of the same choices independent", () => {
    render(
      <>
        <ChoiceSegments label="one" value="day" choices={CHOICES} onChoose={() => undefined} />
        <ChoiceSegments label="two" value="week" choices={CHOICES} onChoose={() => undefined} />
      </>,
    );
    expect(screen.getAllByRole("radio", { checked: true })).toHaveLength(2);
  });
});
