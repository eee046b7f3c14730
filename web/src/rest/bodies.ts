/** The fields of a form as the farm API reads them. */
export type FormFields = Readonly<
  Record<string, string | number | boolean | readonly string[] | null | undefined>
>;

/** A picture, under the only name that the farm API knows. */
export interface FilePart {
  readonly name: "image";
  readonly file: Blob;
}

/** A form for the wire: undefined is left out, null is sent empty, a list as its items with commas between. */
export function formOf(fields: FormFields): URLSearchParams {
  const form = new URLSearchParams();
  for (const [name, value] of Object.entries(fields)) {
    if (value === undefined) continue;
    form.set(name, value === null ? "" : String(value));
  }
  return form;
}

/** One file for the wire; a blob that has no name of its own is called after its part. */
export function multipartOf({ name, file }: FilePart): FormData {
  const form = new FormData();
  form.set(name, file, file instanceof File ? file.name : name);
  return form;
}

/** Return the changed fields: unchanged ones are not sent over the changes of others. */
export function changedFields<T extends object>(now: T, before: object): Partial<T> {
  const old = new Map(Object.entries(before));
  const isOther = ([name, value]: [string, unknown]) =>
    JSON.stringify(value) !== JSON.stringify(old.get(name));
  const changed: Partial<T> = {};
  return Object.assign(changed, Object.fromEntries(Object.entries(now).filter(isOther)));
}

/** Says which version a change is meant for (extension `versions`); an API without versions is told nothing. */
export const ifMatch = (version: string | null | undefined): Readonly<Record<string, string>> =>
  version ? { "if-match": `"${version}"` } : {};
