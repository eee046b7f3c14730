import { type PGlite, protocol, types } from "@electric-sql/pglite";
import type { Param, Row } from "./database.ts";

/** Most statements that stay prepared: more than the farm API has, some of which are made from a list of columns. */
const MAX_PREPARED = 600;

/** Statements after which a prepared one may have other columns. */
const CHANGES_TABLES = /^\s*(?:alter|create|drop)\b/i;

/** A statement that the database has parsed. */
interface Prepared {
  readonly name: string;
  /** Types of its parameters. */
  readonly types: readonly number[];
}

type Messages = Awaited<ReturnType<PGlite["execProtocolStream"]>>;

const {
  serialize,
  messages: { DataRowMessage, ParameterDescriptionMessage, RowDescriptionMessage },
} = protocol;

/**
 * Statements of one PGlite that are parsed and planned once, by their texts. `PGlite.query` does both at each call,
 * in six exchanges: measured, that is three to six times the work of a small statement (`pnpm bench statements`).
 */
export class PreparedStatements {
  readonly #pglite: PGlite;
  /** By text, in the order of their last use. */
  readonly #prepared = new Map<string, Prepared>();
  #created = 0;

  constructor(pglite: PGlite) {
    this.#pglite = pglite;
  }

  /**
   * Run one statement.
   *
   * @throws DatabaseError of the protocol, with the SQLSTATE as `code`
   */
  async query(sql: string, params: readonly Param[] = []): Promise<Row[]> {
    const rows = await this.#run(sql, params);
    if (CHANGES_TABLES.test(sql)) await this.#forget();
    return rows;
  }

  #run(sql: string, params: readonly Param[]): Promise<Row[]> {
    return this.#pglite.runExclusive(async () => {
      const statement = this.#prepared.get(sql) ?? (await this.#prepare(sql));
      this.#prepared.delete(sql);
      this.#prepared.set(sql, statement);
      const values = params.map((value, index) => this.#textOf(value, statement.types[index] ?? 0));
      return this.#rowsOf(
        await this.#send(
          serialize.bind({ statement: statement.name, values }),
          serialize.describe({ type: "P" }),
          serialize.execute({}),
        ),
      );
    });
  }

  /** Run several statements without parameters. What they change may make prepared ones invalid. */
  async exec(sql: string): Promise<void> {
    await this.#pglite.exec(sql);
    await this.#forget();
  }

  async #forget(): Promise<void> {
    if (this.#prepared.size === 0) return;
    this.#prepared.clear();
    await this.#pglite.exec("deallocate all");
  }

  async #prepare(sql: string): Promise<Prepared> {
    const [oldest] = this.#prepared;
    if (oldest && this.#prepared.size >= MAX_PREPARED) {
      this.#prepared.delete(oldest[0]);
      await this.#send(serialize.close({ type: "S", name: oldest[1].name }));
    }
    this.#created += 1;
    const name = `s${this.#created}`;
    const described = await this.#send(
      serialize.parse({ name, text: sql }),
      serialize.describe({ type: "S", name }),
    );
    for (const message of described) {
      if (message instanceof ParameterDescriptionMessage) return { name, types: message.dataTypeIDs };
    }
    throw new Error("the database did not describe the statement");
  }

  /** Send messages in one exchange, which a failed one of them ends. */
  #send(...messages: Uint8Array[]): Promise<Messages> {
    return this.#pglite.execProtocolStream(Buffer.concat([...messages, serialize.sync()]));
  }

  #textOf(value: Param, type: number): string | null {
    if (value === null) return null;
    const serializer = this.#pglite.serializers[type];
    return serializer ? serializer(value) : String(value);
  }

  #rowsOf(messages: Messages): Row[] {
    const rows: Row[] = [];
    let columns: readonly { readonly name: string; readonly dataTypeID: number }[] = [];
    for (const message of messages) {
      if (message instanceof RowDescriptionMessage) columns = message.fields;
      if (!(message instanceof DataRowMessage)) continue;
      const row: Record<string, unknown> = {};
      columns.forEach(({ name, dataTypeID }, index) => {
        row[name] = types.parseType(message.fields[index] ?? null, dataTypeID, this.#pglite.parsers);
      });
      rows.push(row);
    }
    return rows;
  }
}
