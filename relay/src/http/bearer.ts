/** Return the token of an `Authorization: Bearer …` header; undefined when there is none. */
export function bearerOf(header: string | undefined): string | undefined {
  return /^Bearer +([^\s]+)$/i.exec(header ?? "")?.[1];
}
