import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { type Argument, type Expression, type ObjectExpression, parseSync, Visitor } from "oxc-parser";
import type { Check, Finding } from "./finding.ts";
import { isTestCode, sourceFiles } from "./source-files.ts";

/** Processes that write a log for operators. */
const LOGGING = /^(api|relay|scripts|shared)\//;
const LEVELS = new Set(["trace", "debug", "info", "warn", "error", "fatal"]);
const LOGGERS = new Set(["log", "logger"]);
const KEBAB = /^[a-z0-9]+(-[a-z0-9]+)*$/;

/** Return the name of `log` and of `server.log`; null for anything else. */
function nameOf(node: Expression | { readonly type: "Super" }): string | null {
  if (node.type === "Identifier") return node.name;
  return node.type === "MemberExpression" && !node.computed ? node.property.name : null;
}

/** Return the text of a property's value: a literal, or each side of a choice. */
function textsOf(value: Expression | { readonly type: string }): string[] {
  if (value.type === "Literal" && "value" in value) return [String(value.value)];
  if (value.type === "ConditionalExpression" && "consequent" in value)
    return [...textsOf(value.consequent), ...textsOf(value.alternate)];
  return [];
}

/** Return the fault of the fields of a log line; null if they carry an event. */
function faultOf(fields: ObjectExpression): string | null {
  const event = fields.properties.find(
    (property) =>
      property.type === "Property" && property.key.type === "Identifier" && property.key.name === "event",
  );
  if (event?.type !== "Property") return "logs without an event";
  const wrong = textsOf(event.value).find((text) => !KEBAB.test(text));
  return wrong === undefined ? null : `logs the event "${wrong}", which is not kebab-case`;
}

/** Return the log calls of one file without an `event` in kebab-case or without a message. */
export function logFindings(file: string, text: string): Finding[] {
  const declared = new Map<string, ObjectExpression>();
  const calls: { readonly start: number; readonly arguments: readonly Argument[] }[] = [];
  new Visitor({
    VariableDeclarator(node) {
      if (node.id.type === "Identifier" && node.init?.type === "ObjectExpression")
        declared.set(node.id.name, node.init);
    },
    CallExpression(node) {
      const { callee } = node;
      if (callee.type !== "MemberExpression" || callee.computed || !LEVELS.has(callee.property.name)) return;
      if (LOGGERS.has(nameOf(callee.object) ?? "")) calls.push(node);
    },
  }).visit(parseSync(file, text).program);
  return calls.flatMap((call): Finding[] => {
    const [first, second] = call.arguments;
    const fields = first?.type === "Identifier" ? declared.get(first.name) : first;
    const line = text.slice(0, call.start).split("\n").length;
    const fault =
      fields?.type !== "ObjectExpression"
        ? "logs without fields: begin with { event: … }"
        : (faultOf(fields) ?? (second === undefined ? "logs without a message" : null));
    return fault === null ? [] : [{ file, line, message: fault }];
  });
}

/** Every line of the log carries an `event`, by which operators find and count it. */
export const logEvents: Check = {
  name: "log events",
  async run(root) {
    const files = (await sourceFiles(root)).filter((file) => LOGGING.test(file) && !isTestCode(file));
    const found = await Promise.all(
      files.map(async (file) => logFindings(file, await readFile(join(root, file), "utf8"))),
    );
    return found.flat();
  },
};
