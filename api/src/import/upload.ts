import { randomUUID } from "node:crypto";
import { createWriteStream } from "node:fs";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import type { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { MultipartFile, MultipartValue } from "@fastify/multipart";
import { parse, parseJson } from "@mulkko/shared/schema/parse";
import type { FastifyRequest } from "fastify";
import { ApiError, FieldsError } from "../http/api-error.ts";
import type { SpooledFile } from "./imports.ts";
import { MAX_MAPPING_BYTES, Mapping } from "./mapping.ts";

/** Largest file, bytes. */
export const MAX_FILE_BYTES = 200 * 1024 * 1024;

/** Time without data after which an upload is aborted, ms. */
const SILENCE_MS = 30_000;
const MAX_NAME_LENGTH = 100;

const LIMITS = {
  files: 2,
  fields: 2,
  parts: 3,
  fieldNameSize: 100,
  fieldSize: MAX_MAPPING_BYTES,
  headerPairs: 32,
} as const;

export interface Upload {
  readonly file: SpooledFile;
  readonly mapping: Mapping;
}

const refusal = (field: "file" | "mapping", defaultMessage: string): FieldsError =>
  new FieldsError([{ field, defaultMessage }]);
const tooLarge = (what: string): ApiError => new ApiError(413, "too-large", what);

function readMapping(raw: unknown): Mapping {
  const parsed = typeof raw === "string" ? parseJson(Mapping, raw) : parse(Mapping, raw);
  if (parsed.ok) return parsed.value;
  const where = parsed.path.slice(1).replaceAll("/", ".");
  throw refusal("mapping", `The mapping cannot be used: ${where || "it"} ${parsed.message}.`);
}

async function smallText(stream: Readable): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of stream) {
    const bytes = Buffer.from(chunk);
    size += bytes.length;
    if (size > MAX_MAPPING_BYTES) throw tooLarge("a mapping may have 64 KiB");
    chunks.push(bytes);
  }
  return Buffer.concat(chunks).toString("utf8");
}

async function mappingIn(part: MultipartFile | MultipartValue): Promise<Mapping> {
  if (part.type === "file") return readMapping(await smallText(part.file));
  if (part.valueTruncated) throw tooLarge("a mapping may have 64 KiB");
  return readMapping(part.value);
}

async function spool(part: MultipartFile, path: string): Promise<SpooledFile> {
  const target = createWriteStream(path, { mode: 0o600 });
  await pipeline(part.file, target);
  if (part.file.truncated) throw tooLarge("a file may have 200 MiB");
  const name = (part.filename || "file.csv").replaceAll(/\p{Cc}/gu, "").slice(0, MAX_NAME_LENGTH);
  return { path, name, bytes: target.bytesWritten };
}

/** Convert an upload error: parsers throw errors without a status for invalid input. */
function uploadError(error: unknown): unknown {
  if (error instanceof ApiError || !(error instanceof Error)) return error;
  const status = "statusCode" in error ? error.statusCode : undefined;
  if (status === 413) return tooLarge("an import is one file of 200 MiB at most and one mapping");
  const isDisk = "code" in error && error.code === "ENOSPC";
  return status === undefined && !isDisk
    ? new ApiError(400, "malformed", "the upload cannot be read")
    : error;
}

/** Abort a stalled upload. @returns a function that stops the check */
function watchSilence(stream: Readable): () => void {
  const gone = (): void => void stream.destroy();
  let timer = setTimeout(gone, SILENCE_MS);
  const onData = (): void => {
    clearTimeout(timer);
    timer = setTimeout(gone, SILENCE_MS);
  };
  stream.on("data", onData);
  return () => {
    clearTimeout(timer);
    stream.off("data", onData);
  };
}

async function readParts(request: FastifyRequest, path: string, fileSize: number): Promise<Upload> {
  let file: SpooledFile | undefined;
  let mapping: Mapping | undefined;
  for await (const part of request.parts({ limits: { ...LIMITS, fileSize } })) {
    if (part.fieldname === "mapping" && !mapping) mapping = await mappingIn(part);
    else if (part.fieldname === "file" && part.type === "file" && !file) file = await spool(part, path);
    else throw refusal("file", "An import has one file and one mapping, and nothing else.");
  }
  if (!file) throw refusal("file", "The file is missing.");
  if (!mapping) throw refusal("mapping", "The mapping is missing.");
  return { file, mapping };
}

/**
 * Receive the multipart fields `file` and `mapping`, in any order; the file is streamed to the disk.
 *
 * @param folder for files until they are imported
 * @throws ApiError 413 over 200 MiB, 422 for an invalid mapping, 400 for a broken body
 */
export async function receiveImport(
  request: FastifyRequest,
  folder: string,
  fileSize = MAX_FILE_BYTES,
): Promise<Upload> {
  if (!request.isMultipart()) throw refusal("file", "An import must come as multipart/form-data.");
  const path = join(folder, `${randomUUID()}.csv`);
  const rest = watchSilence(request.raw);
  try {
    return await readParts(request, path, fileSize);
  } catch (error) {
    await rm(path, { force: true });
    throw uploadError(error);
  } finally {
    rest();
    // Discard the remaining input, so that the client receives the answer.
    request.raw.unpipe();
    request.raw.resume();
  }
}
