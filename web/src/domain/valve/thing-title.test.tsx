import { render } from "@testing-library/react";
import { expect, it } from "vitest";
import { speakKorean } from "../../testing/speak-korean.ts";
import { ThingTitle } from "./thing-title.tsx";

it("[NAME-1] truncates the name but never the channel's number", async () => {
  await speakKorean();
  const { container } = render(<ThingTitle name="육묘장 밸브함 (합성)" number={1} />);
  expect(container.textContent).toBe("육묘장 밸브함 (합성) 1CH");
  expect(container.querySelector(".thing-title__name")?.textContent).toBe("육묘장 밸브함 (합성)");
  expect(render(<ThingTitle name="논 기상대" />).container.textContent).toBe("논 기상대");
  expect(render(<ThingTitle name={null} number={2} />).container.textContent).toBe("2CH");
});
