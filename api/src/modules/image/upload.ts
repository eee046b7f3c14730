import type { FastifyRequest } from "fastify";
import { ApiError, FieldsError } from "../../http/api-error.ts";
import { type ImageFormat, isReasonable, MAX_PIXELS, readImageHead } from "./format.ts";

/** What an upload may hold. */
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

/** Whose fault a broken upload is: parsers throw errors without a status for what they cannot read. */
function uploadError(error: unknown): unknown {
  const status = error instanceof Error && "statusCode" in error ? error.statusCode : undefined;
  if (status === 413) return new ApiError(413, "too-large", "an image may have 5 MiB, and come alone");
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
 * The picture in the multipart field `image`. Its name and the type that it claims are not looked at.
 *
 * @throws ApiError 413 over 5 MiB, 422 for what is no picture or too many pixels, 400 for a broken body
 */
export async function readUpload(request: FastifyRequest): Promise<Upload> {
  if (!request.isMultipart()) throw refusal("The image must come as multipart/form-data.");
  const bytes = await readBytes(request);
  if (!bytes || bytes.length === 0) throw refusal("The image is missing.");
  const head = readImageHead(bytes);
  if (!head) throw refusal("The image must be a PNG, JPEG or WebP file.");
  if (!isReasonable(head)) throw refusal(`The image may have ${MAX_PIXELS / 1e6} million pixels.`);
  return { bytes, format: head.format };
}
