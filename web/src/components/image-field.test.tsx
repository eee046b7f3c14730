import { act, cleanup, fireEvent, render, screen } from "@testing-library/react";
import { useState } from "react";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { provideBrowserParts } from "../testing/browser-parts.ts";
import { speakKorean } from "../testing/speak-korean.ts";
import type { ImageCodec } from "./image-field.tsx";
import { ImageField } from "./image-field.tsx";
import { UiProvider } from "./provider.tsx";

const codec: ImageCodec = {
  open: async () => ({ width: 10, height: 10, close: () => undefined }) as unknown as ImageBitmap,
  redraw: async () => null,
};

function Sheet({ chosen }: { chosen: (file: File | null) => void }) {
  const [file, setFile] = useState<File | null>(null);
  return (
    <ImageField
      label="사진"
      value={file}
      current="/images/old.png"
      codec={codec}
      onChange={(next) => {
        setFile(next);
        chosen(next);
      }}
    />
  );
}

describe("image field", () => {
  const chosen: (File | null)[] = [];
  const addresses = new Set<string>();
  beforeEach(async () => {
    provideBrowserParts();
    await speakKorean();
    chosen.length = 0;
    addresses.clear();
    URL.createObjectURL = () => {
      const address = `blob:picture-${addresses.size}`;
      addresses.add(address);
      return address;
    };
    URL.revokeObjectURL = (address) => void addresses.delete(address);
    render(
      <UiProvider>
        <Sheet chosen={(file) => chosen.push(file)} />
      </UiProvider>,
    );
  });
  afterEach(cleanup);
  const choose = (file: File) =>
    act(async () => {
      const input = document.querySelector("input[type=file]");
      if (input) fireEvent.input(input, { target: { files: [file] } });
    });
  const shown = () => document.querySelector("img")?.getAttribute("src");

  it("[form] previews a chosen image, allows to take it back and revokes its object URL", async () => {
    expect(shown()).toBe("/images/old.png");
    expect(screen.getByRole("button", { name: "사진 사진 바꾸기" })).not.toBeNull();
    await choose(new File(["x"], "a.png", { type: "image/png" }));
    expect(shown()).toBe("blob:picture-0");
    fireEvent.click(screen.getByRole("button", { name: "되돌리기" }));
    expect(shown()).toBe("/images/old.png");
    expect(chosen.map((file) => file?.name ?? null)).toEqual(["a.png", null]);
    expect(addresses.size).toBe(0);
  });

  it("[form] rejects an unsuitable file with a message and keeps the previous image", async () => {
    await choose(new File(["x"], "a.pdf", { type: "application/pdf" }));
    expect(screen.getByRole("alert").textContent).toBe("JPG, PNG, WebP 사진만 올릴 수 있습니다");
    expect(shown()).toBe("/images/old.png");
    expect(chosen).toEqual([]);
  });
});
