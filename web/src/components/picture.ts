/** Image types that the farm API accepts. */
export const PICTURE_KINDS = ["image/jpeg", "image/png", "image/webp"] as const;

/** Maximum image size that it accepts, bytes. */
export const MAX_PICTURE_BYTES = 5 * 1024 * 1024;

/** Longest side of a sent image, pixels: more than any screen here shows. Phones take 4,000 and more. */
export const MAX_PICTURE_SIDE = 1_600;

export type PictureFault = "wrongKind" | "tooLarge" | "unreadable";

/** Return the size of the sent image, pixels; it never grows. */
export function sentSize(width: number, height: number): { width: number; height: number } {
  const factor = Math.min(1, MAX_PICTURE_SIDE / Math.max(width, height));
  return { width: Math.max(1, Math.round(width * factor)), height: Math.max(1, Math.round(height * factor)) };
}

/** Browser functions that redraw an image. */
export interface PictureParts {
  open(file: Blob): Promise<ImageBitmap>;
  /** Return the bitmap in that size as JPEG; null if the browser cannot. */
  redraw(bitmap: ImageBitmap, size: { width: number; height: number }): Promise<Blob | null>;
}

/**
 * Prepare an image for sending: shrink a large one to an upright JPEG, keep a small one.
 *
 * @returns the image, or the reason why it cannot be sent
 */
export async function preparePicture(file: File, parts: PictureParts): Promise<File | PictureFault> {
  if (!PICTURE_KINDS.some((kind) => kind === file.type)) return "wrongKind";
  let bitmap: ImageBitmap;
  try {
    bitmap = await parts.open(file);
  } catch {
    return "unreadable";
  }
  try {
    const size = sentSize(bitmap.width, bitmap.height);
    if (size.width === bitmap.width && file.size <= MAX_PICTURE_BYTES) return file;
    const smaller = await parts.redraw(bitmap, size);
    if (smaller === null || smaller.size > MAX_PICTURE_BYTES) return "tooLarge";
    return new File([smaller], `${file.name.replace(/\.[^.]*$/, "")}.jpg`, { type: "image/jpeg" });
  } finally {
    bitmap.close();
  }
}
