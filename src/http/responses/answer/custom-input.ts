/** What begins the arguments of a custom tool, up to the first character of its text. */
const beginning = /^\s*\{\s*"input"\s*:\s*"/;
/** Whether a text can still become such a beginning. */
const mayBegin = /^\s*(?:\{\s*(?:"(?:i(?:n(?:p(?:u(?:t(?:"\s*(?::\s*)?)?)?)?)?)?)?)?)?$/;

const escapes: Readonly<Record<string, string>> = { b: '\b', f: '\f', n: '\n', r: '\r', t: '\t' };

const isHighHalf = (text: string): boolean => /[\uD800-\uDBFF]$/.test(text);

/**
 * The text of a custom tool out of the arguments that the model writes, `{"input":"…"}`, piece by piece. Arguments of another form are
 * the text as they are; so is what stands where JSON has no escape. `spec 29.9`
 */
export class CustomInput {
  /** What is not decided or complete yet: the beginning, an escape, the first half of a surrogate pair. */
  private pending = '';
  private state: 'beginning' | 'text' | 'end' | 'raw' = 'beginning';

  /** The text that a piece of the arguments adds. */
  add(piece: string): string {
    this.pending += piece;
    if (this.state === 'beginning') this.begin();
    if (this.state === 'raw') return this.takeRaw();
    return this.state === 'text' ? this.takeText() : '';
  }

  /** What is left when no more comes. A beginning or an escape that broke off is no text. */
  rest(): string {
    const left = this.state === 'raw' || this.state === 'text' ? this.pending : '';
    this.pending = '';
    return (this.state === 'text' ? left.replace(/\\(?:u[\da-fA-F]{0,3})?$/, '') : left).toWellFormed();
  }

  private begin(): void {
    const begun = beginning.exec(this.pending);
    if (begun) {
      this.pending = this.pending.slice(begun[0].length);
      this.state = 'text';
    } else if (!mayBegin.test(this.pending)) this.state = 'raw';
  }

  private takeRaw(): string {
    const half = isHighHalf(this.pending) ? this.pending.slice(-1) : '';
    const text = this.pending.slice(0, this.pending.length - half.length);
    this.pending = half;
    return text.toWellFormed();
  }

  private takeText(): string {
    const { text, rest, hasEnded } = readString(this.pending);
    if (hasEnded) this.state = 'end';
    const half = !hasEnded && isHighHalf(text) ? text.slice(-1) : '';
    this.pending = half + rest;
    return text.slice(0, text.length - half.length).toWellFormed();
  }
}

/** Plain characters; the end; an escape of a character; another escape; one that is not complete; what looks like one and is none. */
const token = /([^"\\]+)|(")|\\u([\da-fA-F]{4})|\\([^u])|(\\(?:u[\da-fA-F]{0,3})?$)|(\\u)/gsy;

/** The text of a JSON string up to its end, or as far as it is there. `rest`: an escape that is not complete. */
function readString(json: string): { text: string; rest: string; hasEnded: boolean } {
  let text = '';
  for (const [all, plain, end, hex, escaped, incomplete] of json.matchAll(token)) {
    if (end) return { text, rest: '', hasEnded: true };
    if (incomplete) return { text, rest: all, hasEnded: false };
    if (hex) text += String.fromCharCode(Number.parseInt(hex, 16));
    else if (escaped) text += escapes[escaped] ?? (/["\\/]/.test(escaped) ? escaped : all);
    else text += plain ?? all;
  }
  return { text, rest: '', hasEnded: false };
}
