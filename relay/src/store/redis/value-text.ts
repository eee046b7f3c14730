import { parseJson } from "@mulkko/shared/schema/parse";
import Type from "typebox";
import type { StateValue } from "../../ports/streams.ts";

/**
 * What nearly every value of `devices` says word for word. In Redis each is one control character, its place in this
 * list: JSON text has none of its own, as it writes them as escapes. The list is part of what is stored: nothing may
 * move, be changed or be taken out, and there is room for 32.
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

/** A value as it stands in Redis: its JSON text, shortened. */
export function valueText(value: StateValue): string {
  return JSON.stringify(value).replace(ANY_FRAGMENT, (fragment) => codes.get(fragment) ?? fragment);
}

/** The value of such a text, shortened or not; undefined for what is no JSON object. */
export function readValue(text: string): StateValue | undefined {
  const whole = text.replace(ANY_CODE, (code) => FRAGMENTS[code.charCodeAt(0)] ?? code);
  const value = parseJson(Value, whole);
  return value.ok ? value.value : undefined;
}
