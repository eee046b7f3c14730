import type { FastifyRequest } from "fastify";
import { ApiError, FieldsError } from "../http/api-error.ts";
import { type ImageFormat, isReasonable, MAX_PIXELS, readImageHead } from "./format.ts";

/** Limits of an upload. */
export const UPLOAD_LIMITS = {
  fileSize: 5 * 1024 * 1024,
  files: 1,
  fields: 8,
  fieldNameSize: 100,
  fieldSize: 4_096,
  parts: 9,
  headerPairs: 32,
} as const;

export interface Upload {
  readonly bytes: Buffer;
  readonly format: ImageFormat;
}

const refusal = (defaultMessage: string): FieldsError =>
  new FieldsError([{ field: "image", defaultMessage }]);

/** Convert an upload error: parsers throw errors without a status for invalid input. */
function uploadError(error: unknown): unknown {
  const status = error instanceof Error && "statusCode" in error ? error.statusCode : undefined;
  if (status === 413)
    return new ApiError(413, "too-large", "the upload must be a single image of at most 5 MiB");
  if (error instanceof Error && status === undefined) {
    return new ApiError(400, "malformed", "the upload cannot be read");
  }
  return error;
}

async function readBytes(request: FastifyRequest): Promise<Buffer | null> {
  try {
    const part = await request.file();
    if (!part) return null;
    const bytes = await part.toBuffer();
    return part.fieldname === "image" ? bytes : null;
  } catch (error) {
    throw uploadError(error);
  }
}

/**
 * Read the image in the multipart field `image`. Its name and declared type are ignored.
 *
 * @throws ApiError 413 over 5 MiB, 422 for a file that is no image or has too many pixels, 400 for a broken
 * body
 */
export async function readUpload(request: FastifyRequest): Promise<Upload> {
  if (!request.isMultipart()) throw refusal("The image must be sent as multipart/form-data.");
  const bytes = await readBytes(request);
  if (!bytes || bytes.length === 0) throw refusal("The image is missing.");
  const head = readImageHead(bytes);
  if (!head) throw refusal("The image must be a PNG, JPEG or WebP file.");
  if (!isReasonable(head)) throw refusal(`The image must have at most ${MAX_PIXELS / 1e6} million pixels.`);
  return { bytes, format: head.format };
}
