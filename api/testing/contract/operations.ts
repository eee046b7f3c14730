import { parse } from "@mulkko/shared/schema/parse";
import { type Static, Type } from "typebox";

const JsonSchema = Type.Record(Type.String(), Type.Unknown());
const Content = Type.Record(Type.String(), Type.Object({ schema: JsonSchema }));

const OperationObject = Type.Object({
  operationId: Type.String({ minLength: 1 }),
  summary: Type.String({ minLength: 1 }),
  tags: Type.Array(Type.String(), { minItems: 1 }),
  security: Type.Array(Type.Record(Type.String(), Type.Array(Type.String()))),
  parameters: Type.Optional(
    Type.Array(
      Type.Object({ in: Type.String(), name: Type.String(), required: Type.Optional(Type.Boolean()) }),
    ),
  ),
  requestBody: Type.Optional(Type.Object({ content: Content })),
  responses: Type.Record(Type.String(), Type.Object({ content: Type.Optional(Content) })),
});
const Document = Type.Object({
  openapi: Type.Literal("3.1.0"),
  paths: Type.Record(Type.String(), Type.Record(Type.String(), OperationObject)),
});

/** One operation of the contract, as documented. */
export interface Operation {
  /** `PUT /api/v1/sensor/update/{id}` */
  readonly name: string;
  readonly operationId: string;
  readonly method: "GET" | "POST" | "PUT" | "DELETE";
  readonly path: string;
  readonly needsToken: boolean;
  /** Names of all query parameters. */
  readonly query: readonly string[];
  /** Names of required query parameters. */
  readonly requiredQuery: readonly string[];
  /** Schema of a JSON body; null where there is none. */
  readonly body: Static<typeof JsonSchema> | null;
  /** The success response; `schema` is null where its body is undocumented. */
  readonly success: { readonly status: number; readonly schema: Static<typeof JsonSchema> | null };
}

const METHODS = { get: "GET", post: "POST", put: "PUT", delete: "DELETE" } as const;

function methodOf(name: string): Operation["method"] {
  const found = Object.entries(METHODS).find(([lower]) => lower === name);
  if (!found) throw new Error(`no method of the contract: ${name}`);
  return found[1];
}

function successOf({ responses }: Static<typeof OperationObject>): Operation["success"] {
  const [status] = Object.keys(responses).filter((code) => /^2\d\d$/.test(code));
  if (status === undefined) throw new Error("an operation does not say what it answers when all goes well");
  return { status: Number(status), schema: responses[status]?.content?.["application/json"]?.schema ?? null };
}

/**
 * Return all operations of an OpenAPI document. @throws Error where it breaks the conventions, e.g. lacks a
 * summary
 */
export function operationsOf(document: unknown): Operation[] {
  const parsed = parse(Document, document);
  if (!parsed.ok) throw new Error(`the document: ${parsed.path} ${parsed.message}`);
  return Object.entries(parsed.value.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([name, operation]) => ({
      name: `${methodOf(name)} ${path}`,
      operationId: operation.operationId,
      method: methodOf(name),
      path,
      needsToken: operation.security.length > 0,
      query: (operation.parameters ?? []).filter((one) => one.in === "query").map((one) => one.name),
      requiredQuery: (operation.parameters ?? [])
        .filter((one) => one.in === "query" && one.required === true)
        .map((one) => one.name),
      body: operation.requestBody?.content["application/json"]?.schema ?? null,
      success: successOf(operation),
    })),
  );
}

/** Return the properties of a body's schema, and which are required. */
export function propertiesOf(schema: Operation["body"]): { name: string; required: boolean }[] {
  const parsed = parse(
    Type.Object({
      properties: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
      required: Type.Optional(Type.Array(Type.String())),
    }),
    schema,
  );
  if (!parsed.ok) return [];
  const { properties = {}, required = [] } = parsed.value;
  return Object.keys(properties).map((name) => ({ name, required: required.includes(name) }));
}
