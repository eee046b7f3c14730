/** A turn of a valve, in true time (ms UTC). */
export interface Turn {
  readonly at: number;
  readonly open: boolean;
  /** The command that turned it; null for a hand, the end of a run, or a power cut. */
  readonly commandId: string | null;
}

/** A valve with water behind it: what is, whatever is said. */
export class Valve {
  readonly name: string;
  readonly number: number;
  readonly #turns: Turn[] = [];
  #isOpen = false;
  /** True if nothing turns it any more: sand in the seat. */
  isStuck = false;
  /** Called when it has moved. */
  onTurned: (turn: Turn) => void = () => undefined;

  constructor(name: string, number: number) {
    this.name = name;
    this.number = number;
  }

  get isOpen(): boolean {
    return this.#isOpen;
  }

  get turns(): readonly Turn[] {
    return this.#turns;
  }

  /** The last turn; null: it was never turned. */
  get last(): Turn | null {
    return this.#turns.at(-1) ?? null;
  }

  /** @returns true if it moved */
  turn(open: boolean, at: number, commandId: string | null): boolean {
    if (this.isStuck || open === this.#isOpen) return false;
    this.#isOpen = open;
    const turn = { at, open, commandId };
    this.#turns.push(turn);
    this.onTurned(turn);
    return true;
  }
}
