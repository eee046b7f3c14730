/** Fields of a form as the farm API expects them. */
export type FormFields = Readonly<
  Record<string, string | number | boolean | readonly string[] | null | undefined>
>;

/** An image, under the only part name that the farm API accepts. */
export interface FilePart {
  readonly name: "image";
  readonly file: Blob;
}

/** Encode one file as multipart; a blob without a name is named after its part. */
export function multipartOf({ name, file }: FilePart): FormData {
  const form = new FormData();
  form.set(name, file, file instanceof File ? file.name : name);
  return form;
}

/** Return the changed fields: unchanged ones must not overwrite other users' changes. */
export function changedFields<T extends object>(now: T, before: object): Partial<T> {
  const old = new Map(Object.entries(before));
  const isOther = ([name, value]: [string, unknown]) =>
    JSON.stringify(value) !== JSON.stringify(old.get(name));
  const changed: Partial<T> = {};
  return Object.assign(changed, Object.fromEntries(Object.entries(now).filter(isOther)));
}

/** Return the `If-Match` header of a change (extension `versions`); empty for an API without versions. */
export const ifMatch = (version: string | null | undefined): Readonly<Record<string, string>> =>
  version ? { "if-match": `"${version}"` } : {};
