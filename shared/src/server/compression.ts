/**
 * How both servers compress answers: JSON above 1 KB, to clients that accept it. Request bodies are not inflated: a
 * small one could become large.
 */
export const COMPRESSION = {
  encodings: ["br", "gzip"],
  threshold: 1_024,
  globalDecompression: false,
} as const satisfies { encodings: readonly string[]; [option: string]: unknown };

const JSON_TYPE = /^application\/([\w.-]+\+)?json\b/;

/**
 * Return true for a call whose answer may be compressed: JSON; files are compressed when they are built. The length of a compressed answer tells about a secret in it to
 * those who choose the texts beside it: secrets are in answers to writes, and in those of the named routes.
 *
 * @param contentType of the answer
 * @param isSecret true for a route whose answers have secrets
 */
export const mayCompress = (method: string, contentType: unknown, isSecret: boolean): boolean =>
  (method === "GET" || method === "HEAD") && JSON_TYPE.test(String(contentType)) && !isSecret;
