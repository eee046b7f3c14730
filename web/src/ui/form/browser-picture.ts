import type { PictureParts } from "./picture.ts";

const JPEG_QUALITY = 0.85;

/** Pictures by the browser's own decoder and canvas; both turn a phone's photo upright. */
export const browserPictureParts: PictureParts = {
  open: (file) => createImageBitmap(file),
  redraw(bitmap, { width, height }) {
    const canvas = document.createElement("canvas");
    canvas.width = width;
    canvas.height = height;
    const context = canvas.getContext("2d");
    if (!context) return Promise.resolve(null);
    // A transparent picture becomes JPEG, which has no transparency: white, not black.
    context.fillStyle = "#fff";
    context.fillRect(0, 0, width, height);
    context.drawImage(bitmap, 0, 0, width, height);
    return new Promise((resolve) => canvas.toBlob(resolve, "image/jpeg", JPEG_QUALITY));
  },
};
