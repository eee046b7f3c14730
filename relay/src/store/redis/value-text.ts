import { parseJson } from "@mulkko/shared/schema/parse";
import Type from "typebox";
import type { StateValue } from "../streams.ts";

/**
 * Text fragments that nearly every value of `devices` contains. In Redis each is one control character, its
 * index in this list. JSON text contains no control characters, because it escapes them. The list is part of
 * the stored format: entries must not be moved, changed or removed. There is room for 32.
 */
const FRAGMENTS = [
  '{"info":{"id":"',
  ',"name":"',
  ',"description":"',
  ',"deviceType":"',
  ',"serial":',
  ',"crops":"',
  ',"latitude":',
  ',"longitude":',
  ',"widget":',
  ',"clusterId":',
  ',"chNums":null',
  ',"imagePath":null',
  ',"clusters":[{"id":',
  ',"userId":"',
  '},"reading":{',
  ',"soilTemperature":',
  ',"moisture":',
  ',"battery":',
  ',"rssi":',
  ',"fwversion":"',
  ',"at":"20',
  ',"heardAt":"20',
  ',"quality":"',
  ',"via":"mqtt"}',
  '{"controllerId":"',
  ',"number":',
  ',"sensorIds":[',
  ',"onoff":',
  ',"modes":{"active":"none","automatic":null,"reservation":null,"period":null}',
  ',"runUntil":null,"endsBy":null,"command":null',
  ',"externalId":null,"profile":null',
] as const;

const codes = new Map<string, string>(
  FRAGMENTS.map((fragment, index) => [fragment, String.fromCharCode(index)]),
);
const escaped = FRAGMENTS.map((fragment) => fragment.replaceAll(/[[\]{}.]/g, "\\$&"));
const ANY_FRAGMENT = new RegExp(escaped.join("|"), "g");
const ANY_CODE = new RegExp(`[${String.fromCharCode(0)}-${String.fromCharCode(FRAGMENTS.length - 1)}]`, "g");

const Value = Type.Record(Type.String(), Type.Unknown());

/** Return a value as stored in Redis: its JSON text, shortened. */
export function valueText(value: StateValue): string {
  return JSON.stringify(value).replace(ANY_FRAGMENT, (fragment) => codes.get(fragment) ?? fragment);
}

/** Return the value of a stored text, shortened or not; undefined for anything but a JSON object. */
export function readValue(text: string): StateValue | undefined {
  const whole = text.replace(ANY_CODE, (code) => FRAGMENTS[code.charCodeAt(0)] ?? code);
  const value = parseJson(Value, whole);
  return value.ok ? value.value : undefined;
}
