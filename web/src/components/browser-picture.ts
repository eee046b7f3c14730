import type { PictureParts } from "./picture.ts";

const JPEG_QUALITY = 0.85;

/** Image functions based on the browser's decoder and canvas; both rotate a phone's photo upright. */
export const browserPictureParts: PictureParts = {
  open: (file) => createImageBitmap(file),
  redraw(bitmap, { width, height }) {
    const canvas = document.createElement("canvas");
    canvas.width = width;
    canvas.height = height;
    const context = canvas.getContext("2d");
    if (!context) return Promise.resolve(null);
    // JPEG has no transparency: fill a transparent image with white, not black.
    context.fillStyle = "#fff";
    context.fillRect(0, 0, width, height);
    context.drawImage(bitmap, 0, 0, width, height);
    return new Promise((resolve) => canvas.toBlob(resolve, "image/jpeg", JPEG_QUALITY));
  },
};
