import { describe, expect, it } from "vitest";
import { type ImageCodec, MAX_PICTURE_BYTES, preparePicture, sentSize } from "./image-field.tsx";

const fileOf = (bytes: number, type: string) => new File([new Uint8Array(bytes)], "논 사진.PNG", { type });

function codecOf(width: number, height: number, redrawn: Blob | null = new Blob(["small"])) {
  const drawn: { width: number; height: number }[] = [];
  let open = 0;
  const codec: ImageCodec = {
    open: async () => {
      open += 1;
      return { width, height, close: () => (open -= 1) } as unknown as ImageBitmap;
    },
    async redraw(_bitmap, size) {
      drawn.push(size);
      return redrawn;
    },
  };
  return { codec, drawn, left: () => open };
}

describe("image", () => {
  it("[form] shrinks an image to at most 1,600 pixels on its longer side and never enlarges it", () => {
    expect(sentSize(4_000, 3_000)).toEqual({ width: 1_600, height: 1_200 });
    expect(sentSize(3_000, 4_000)).toEqual({ width: 1_200, height: 1_600 });
    expect(sentSize(800, 600)).toEqual({ width: 800, height: 600 });
    expect(sentSize(40_000, 1)).toEqual({ width: 1_600, height: 1 });
  });

  it("[form] shrinks a phone's photo before it uses a slow link", async () => {
    const { codec, drawn, left } = codecOf(4_000, 3_000);
    const sent = await preparePicture(fileOf(MAX_PICTURE_BYTES + 1, "image/jpeg"), codec);
    expect(sent).toBeInstanceOf(File);
    expect(sent).toMatchObject({ name: "논 사진.jpg", type: "image/jpeg" });
    expect(drawn).toEqual([{ width: 1_600, height: 1_200 }]);
    expect(left()).toBe(0);
  });

  it("[form] sends a small image unchanged", async () => {
    const { codec, drawn } = codecOf(640, 480);
    const file = fileOf(1_000, "image/webp");
    expect(await preparePicture(file, codec)).toBe(file);
    expect(drawn).toEqual([]);
  });

  it("[form] rejects another file type, a broken image and one that stays too large", async () => {
    const { codec } = codecOf(640, 480);
    expect(await preparePicture(fileOf(10, "application/pdf"), codec)).toBe("wrongKind");
    const broken: ImageCodec = { ...codec, open: () => Promise.reject(new Error("no picture")) };
    expect(await preparePicture(fileOf(10, "image/png"), broken)).toBe("unreadable");
    const huge = codecOf(4_000, 3_000, new Blob([new Uint8Array(MAX_PICTURE_BYTES + 1)]));
    expect(await preparePicture(fileOf(10, "image/png"), huge.codec)).toBe("tooLarge");
    expect(await preparePicture(fileOf(10, "image/png"), codecOf(4_000, 3_000, null).codec)).toBe("tooLarge");
  });
});
