import {
  type Method,
  type Operation,
  type ParameterOf,
  parametersOf,
} from "@mulkko/shared/rest/operations/operation";
import type { FastifySchema } from "fastify";
import { type TNull, type TObject, type TSchema, type TString, Type } from "typebox";

type ParamsOf<Path extends string> = [ParameterOf<Path>] extends [never]
  ? unknown
  : { readonly params: TObject<Record<ParameterOf<Path>, TString>> };

type BodyOf<Row> = Row extends { readonly body: infer Body extends TSchema }
  ? { readonly body: Body }
  : unknown;

type QueryOf<Row> = Row extends { readonly query: infer Query extends TSchema }
  ? { readonly querystring: Query }
  : unknown;

type AnswerOf<Row> = Row extends { readonly answer: infer Answer }
  ? [Answer] extends [null]
    ? { readonly response: { readonly 204: TNull } }
    : [Answer] extends [TSchema]
      ? {
          readonly response: Row extends { readonly status: infer Status extends number }
            ? { readonly [Code in Status]: Answer }
            : { readonly 200: Answer };
        }
      : unknown
  : unknown;

/** Schema of a route as its row declares it. */
type Contract<Row extends Operation> = ParamsOf<Row["path"]> & BodyOf<Row> & QueryOf<Row> & AnswerOf<Row>;

interface OperationRoute<Path extends string, Schema> {
  readonly method: Method[];
  readonly url: Path;
  readonly schema: Schema;
}

/**
 * Return methods, URL and schema of the route that serves an operation; spread it into `app.route`.
 *
 * @param more tags and summary, and what differs from the row, such as an answer with more fields; undefined
 * removes a member, such as a body that the handler parses itself
 */
export function routeOf<const Row extends Operation, const More extends FastifySchema>(
  row: Row,
  more: More,
): OperationRoute<Row["path"], Omit<Contract<Row>, keyof More> & More>;
export function routeOf(row: Operation, more: FastifySchema): OperationRoute<string, FastifySchema> {
  const names = parametersOf(row);
  const schema = {
    params:
      names.length > 0
        ? Type.Object(Object.fromEntries(names.map((name) => [name, Type.String()])))
        : undefined,
    body: row.body,
    querystring: row.query,
    response: responseOf(row),
    ...more,
  };
  return {
    method: [...row.methods],
    url: row.path,
    // The server warns of a member without a schema.
    schema: Object.fromEntries(Object.entries(schema).filter(([, value]) => value !== undefined)),
  };
}

function responseOf({ answer, status }: Operation): FastifySchema["response"] {
  if (answer === undefined) return undefined;
  return answer === null ? { 204: Type.Null() } : { [status ?? 200]: answer };
}
