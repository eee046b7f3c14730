/** An invalid file or mapping; the message is a sentence for the administrator. */
export class ImportError extends Error {
  override readonly name = "ImportError";
  /** The invalid part. */
  readonly field: "file" | "mapping";

  constructor(field: "file" | "mapping", sentence: string) {
    super(sentence);
    this.field = field;
  }
}
