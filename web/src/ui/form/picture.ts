/** Kinds of picture that the farm API takes. */
export const PICTURE_KINDS = ["image/jpeg", "image/png", "image/webp"] as const;

/** Largest picture that it takes, bytes. */
export const MAX_PICTURE_BYTES = 5 * 1024 * 1024;

/** Longest side of what is sent, pixels: more than any screen here shows; phones take 4,000 and more. */
export const MAX_PICTURE_SIDE = 1_600;

export type PictureFault = "wrongKind" | "tooLarge" | "unreadable";

/** The size in which a picture is sent, pixels; it never grows. */
export function sentSize(width: number, height: number): { width: number; height: number } {
  const factor = Math.min(1, MAX_PICTURE_SIDE / Math.max(width, height));
  return { width: Math.max(1, Math.round(width * factor)), height: Math.max(1, Math.round(height * factor)) };
}

/** The browser's own parts that draw a picture anew. */
export interface PictureParts {
  open(file: Blob): Promise<ImageBitmap>;
  /** The bitmap in that size, as JPEG; null where the browser cannot. */
  redraw(bitmap: ImageBitmap, size: { width: number; height: number }): Promise<Blob | null>;
}

/**
 * A picture as it is sent: large ones smaller, as JPEG and upright, small ones untouched.
 *
 * @returns the picture, or why it cannot be sent
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
