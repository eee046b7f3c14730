/** A file or mapping that cannot be used; the message is a sentence for who imports. */
export class ImportError extends Error {
  override readonly name = "ImportError";
  /** Which of the two is at fault. */
  readonly field: "file" | "mapping";

  constructor(field: "file" | "mapping", sentence: string) {
    super(sentence);
    this.field = field;
  }
}
