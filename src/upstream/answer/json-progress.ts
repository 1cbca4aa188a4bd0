/** How far a JSON document has come that arrives in pieces. Each character is read once. */
export class JsonProgress {
  private depth = 0;
  private hasBegun = false;
  private isInString = false;
  private isEscaped = false;

  add(piece: string): void {
    for (const character of piece) {
      if (this.isInString) this.readInString(character);
      else if (character === '"') this.isInString = true;
      else if (character === '{' || character === '[') {
        this.hasBegun = true;
        this.depth += 1;
      } else if (character === '}' || character === ']') this.depth -= 1;
    }
  }

  /** An object or an array has ended: nothing can follow. */
  get isComplete(): boolean {
    return this.hasBegun && this.depth <= 0 && !this.isInString;
  }

  private readInString(character: string): void {
    if (this.isEscaped) this.isEscaped = false;
    else if (character === '\\') this.isEscaped = true;
    else if (character === '"') this.isInString = false;
  }
}
