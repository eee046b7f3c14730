import { type FieldName, isFieldName } from "@mulkko/shared/catalogue/fields";
import { deviceTypeOf, isDeviceTypeName } from "@mulkko/shared/catalogue/registry";
import type { DeviceProfile } from "@mulkko/shared/rest/device-profile";
import { parse } from "@mulkko/shared/schema/parse";
import { type Path, parsePath } from "./path.ts";
import { type FieldRule, ProfileFile } from "./profile-schema.ts";
import { fitsField } from "./units.ts";

/** A field's rule with parsed paths. */
export interface CompiledField extends Omit<FieldRule, "path" | "dividedBy"> {
  readonly name: FieldName;
  readonly path: Path;
  readonly divisor: Path | null;
}

/** A validated device profile. */
export interface Profile extends Readonly<DeviceProfile> {
  readonly fields: readonly CompiledField[];
  readonly history: {
    readonly path: Path;
    readonly at: { readonly path: Path; readonly format: "unix-s" | "unix-ms" | "iso" };
  } | null;
}

/** An invalid profile; the message is a sentence that names it. */
export class ProfileError extends Error {
  override readonly name = "ProfileError";
}

const wrong = (name: string, what: string): ProfileError =>
  new ProfileError(`The device profile ${name} cannot be used: ${what}.`);

function pathOf(profile: string, text: string): Path {
  const path = parsePath(text);
  if (!path) throw wrong(profile, `"${text}" is not a path`);
  return path;
}

function compileField(profile: string, name: string, rule: FieldRule): CompiledField {
  if (!isFieldName(name)) throw wrong(profile, `${name} is not a field of a reading`);
  const { path, dividedBy, ...rest } = rule;
  if (rule.unit && !fitsField(rule.unit, name)) throw wrong(profile, `${rule.unit} is not a unit of ${name}`);
  const xs = (rule.table ?? []).map(([x]) => x);
  if (xs.some((x, index) => index > 0 && x <= (xs[index - 1] ?? 0))) {
    throw wrong(profile, `the table of ${name} is not in ascending order`);
  }
  const divisor = dividedBy === undefined ? null : pathOf(profile, dividedBy);
  return { ...rest, name, path: pathOf(profile, path), divisor };
}

/**
 * Validate a profile's file.
 *
 * @param name the file's name without `.json`
 * @throws ProfileError
 */
export function compileProfile(name: string, content: unknown): Profile {
  const parsed = parse(ProfileFile, content);
  if (!parsed.ok) throw wrong(name, `${parsed.path || "it"} ${parsed.message}`);
  const file = parsed.value;
  if (file.name !== name) throw wrong(name, `it calls itself ${file.name}`);
  const fields = Object.entries(file.fields).map(([field, rule]) => compileField(name, field, rule));
  for (const type of file.deviceTypes) {
    if (!isDeviceTypeName(type)) throw wrong(name, `${type} is no device type`);
    const own = deviceTypeOf(type).fields;
    if (!own.some((field) => fields.some((mapped) => mapped.name === field.name))) {
      throw wrong(name, `it has no field for a device of type ${type}`);
    }
  }
  const { history } = file;
  return {
    name,
    maker: file.maker,
    model: file.model,
    deviceTypes: file.deviceTypes,
    fields,
    history: history
      ? {
          path: pathOf(name, history.path),
          at: { path: pathOf(name, history.at.path), format: history.at.format },
        }
      : null,
  };
}
