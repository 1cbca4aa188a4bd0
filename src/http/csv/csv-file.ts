/** What a route answers instead of JSON: a file that is read while it is sent. */
export class CsvFile {
  readonly name: string;
  /** The text in parts: a page of the list each. */
  readonly parts: AsyncIterable<string>;

  constructor(name: string, parts: AsyncIterable<string>) {
    this.name = name;
    this.parts = parts;
  }
}
