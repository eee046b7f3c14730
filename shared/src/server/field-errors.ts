/** An error of a schema's check, as Ajv gives it. */
export interface SchemaProblem {
  readonly instancePath: string;
  readonly message?: string | undefined;
  readonly params: Readonly<Record<string, unknown>>;
}

/** Most fields that an answer names. */
const MOST = 20;

const textOf = (value: unknown): string[] => (typeof value === "string" ? [value] : []);

/**
 * Return the wrong fields of a body or a query, each once, with its whole path: `settings.pages.0`. A missing or an
 * unknown field is named itself, not what it is missing in.
 */
export function fieldErrorsOf(
  problems: readonly SchemaProblem[],
): { readonly field: string; readonly defaultMessage: string }[] {
  const found = new Map<string, string>();
  for (const { instancePath, message = "is not valid", params } of problems) {
    const path = instancePath
      .split("/")
      .slice(1)
      .map((part) => part.replaceAll("~1", "/").replaceAll("~0", "~"));
    const field = [...path, ...textOf(params.missingProperty), ...textOf(params.additionalProperty)].join(
      ".",
    );
    if (!found.has(field)) found.set(field, message);
    if (found.size >= MOST) break;
  }
  return [...found].map(([field, defaultMessage]) => ({ field, defaultMessage }));
}
