import { fireEvent, render, screen } from "@testing-library/react";
import { beforeEach, expect, it } from "vitest";
import { provideBrowserParts } from "../testing/browser-parts.ts";
import { speakKorean } from "../testing/speak-korean.ts";
import { TextField } from "./field.tsx";
import { UiProvider } from "./provider.tsx";

beforeEach(async () => {
  provideBrowserParts();
  await speakKorean();
});

it("[ui] a password is shown and hidden again by its button, and keeps its text", () => {
  render(<TextField label="비밀번호" type="password" name="password" />, { wrapper: UiProvider });
  const field = screen.getByLabelText<HTMLInputElement>("비밀번호");
  fireEvent.change(field, { target: { value: "sickle+88" } });
  const show = screen.getByRole("button", { name: "비밀번호 보기" });
  expect(show.getAttribute("aria-pressed")).toBe("false");
  fireEvent.click(show);
  expect([field.type, field.value, show.getAttribute("aria-pressed")]).toEqual(["text", "sickle+88", "true"]);
  fireEvent.click(show);
  expect(field.type).toBe("password");
});

it("[ui] a field says the length of its text before it is cut", () => {
  render(<TextField label="이름" name="name" maxLength={10} hint="농장 이름" />, { wrapper: UiProvider });
  const field = screen.getByLabelText<HTMLInputElement>("이름");
  fireEvent.input(field, { target: { value: "1234567" } });
  expect(screen.queryByTestId("field-length")).toBeNull();
  fireEvent.input(field, { target: { value: "12345678" } });
  expect(screen.getByTestId("field-length").textContent).toBe("8/10");
  expect(screen.getByText(/농장 이름/)).not.toBeNull();
});
