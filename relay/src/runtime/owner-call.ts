import { type Static, type TObject, type TSchema, Type } from "typebox";

/** CMD-7: a caller gets an answer within 5 s. The rest is left for the network. */
export const ANSWER_WITHIN_MS = 4_500;

/**
 * A call to the owner of an account, which may be on another node (NODE-5). Declared once: the owner's method, the call
 * from another node and its answer there are all made from it.
 */
export interface OwnerCall {
  /** Its name between nodes. Nodes of two versions talk during a rolling deploy (NODE-6): it never changes. */
  readonly wire: string;
  /** Further fields are optional ones, for the same reason. */
  readonly request: TObject;
  readonly reply: TSchema;
  /** Time for the answer, ms, where the request does not name its own in `answerWithinMs`. */
  readonly withinMs: number;
  /** Texts of the request that are encrypted between nodes. */
  readonly secret?: readonly string[];
  /** True: the reply is a text that is encrypted between nodes. */
  readonly secretReply?: true;
  /** Set where relays of before a change send or answer something else. */
  readonly earlier?: EarlierForm;
}

/** The form of a call by relays of before a change. */
export interface EarlierForm {
  /** Fields that every request carries since: a request without them is of such a relay. */
  readonly since: Readonly<Record<string, unknown>>;
  readonly reply: TSchema;
  /** Return today's reply as such a relay reads it. */
  write(reply: unknown): unknown;
  /** Return the reply of such a relay as today's. */
  read(reply: unknown): unknown;
}

export type OwnerCalls = Readonly<Record<string, OwnerCall>>;

type Method<Call extends OwnerCall> = keyof Static<Call["request"]> extends never
  ? () => Promise<Static<Call["reply"]>>
  : (request: Static<Call["request"]>) => Promise<Static<Call["reply"]>>;

/** The service of an owner whose methods are these calls. */
export type MethodsOf<Calls extends OwnerCalls> = { readonly [K in keyof Calls]: Method<Calls[K]> };

/** A method of a service, with a request that meets its call's schema. */
type Act = (request: Readonly<Record<string, unknown>>) => Promise<unknown>;

// The compiler cannot follow the types of a method through a table of them: the two casts of this file are the only ones.

/** Return the methods of a service by their names. A request has to meet the schema of its call. */
export const actsOf = <Calls extends OwnerCalls>(
  service: MethodsOf<Calls>,
): Readonly<Record<string, Act | undefined>> => service as Readonly<Record<string, Act>>;

/** Make a service from its calls. */
export const mapMethods = <Calls extends OwnerCalls>(
  calls: Calls,
  actOf: (call: OwnerCall) => Act,
): MethodsOf<Calls> =>
  Object.fromEntries(
    Object.entries(calls).map(([name, call]) => {
      const act = actOf(call);
      return [name, (request: Readonly<Record<string, unknown>> = {}) => act(request)];
    }),
  ) as MethodsOf<Calls>;

/** Schema of a call between nodes. */
export const wireSchema = ({ wire, request }: OwnerCall): TSchema =>
  Type.Object({ do: Type.Literal(wire), ...request.properties });
