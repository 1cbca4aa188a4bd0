import { parseExactJson } from './exact-json.ts';

// The arguments of a tool call are written by a model, and may break off anywhere.

type JsonObject = Record<string, unknown>;

const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Reads JSON text as far as it goes. Nothing is `undefined`, which no JSON is. */
class PartialReader {
  private readonly text: string;
  private at = 0;

  constructor(text: string) {
    this.text = text;
  }

  value(): unknown {
    this.skipSpace();
    const letter = this.text[this.at];
    if (letter === '{') return this.object();
    if (letter === '[') return this.list();
    return letter === '"' ? this.string() : this.scalar();
  }

  private object(): JsonObject {
    const entries: [string, unknown][] = [];
    this.at += 1;
    while (this.isBefore('"')) {
      const key = this.string();
      if (!this.isBefore(':')) break;
      this.at += 1;
      const value = this.value();
      if (key === undefined || value === undefined) break;
      entries.push([key, value]);
      if (!this.isBefore(',')) break;
      this.at += 1;
    }
    if (this.isBefore('}')) this.at += 1;
    return Object.fromEntries(entries);
  }

  private list(): unknown[] {
    const items: unknown[] = [];
    this.at += 1;
    for (let item = this.isBefore(']') ? undefined : this.value(); item !== undefined; item = this.value()) {
      items.push(item);
      if (!this.isBefore(',')) break;
      this.at += 1;
    }
    if (this.isBefore(']')) this.at += 1;
    return items;
  }

  /** A text that breaks off is as long as it came, without half an escape. */
  private string(): string | undefined {
    const from = this.at + 1;
    let end = from;
    let escaped = '';
    while (end < this.text.length && this.text[end] !== '"') {
      escaped = this.text[end] === '\\' ? this.text.slice(end, end + (this.text[end + 1] === 'u' ? 6 : 2)) : '';
      end += escaped.length || 1;
    }
    this.at = end + 1;
    const isBroken = end >= this.text.length && (escaped === '\\' || (escaped[1] === 'u' && escaped.length < 6));
    const written = this.text.slice(from, isBroken ? this.text.length - escaped.length : end);
    return parse(`"${written}"`) as string | undefined;
  }

  private scalar(): unknown {
    const [word = ''] = /^[\w.+-]*/.exec(this.text.slice(this.at, this.at + 400)) ?? [];
    this.at += word.length;
    return (parse(`[${word}]`) as unknown[] | undefined)?.[0];
  }

  private isBefore(letter: string): boolean {
    this.skipSpace();
    return this.text[this.at] === letter;
  }

  private skipSpace(): void {
    while (/\s/.test(this.text[this.at] ?? '')) this.at += 1;
  }
}

function parse(text: string): unknown {
  try {
    return parseExactJson(text);
  } catch {
    return undefined;
  }
}

/** The object that can be read of JSON text which may have broken off; `{}` where there is none. */
export function readPartialObject(text: string): JsonObject {
  const whole = parse(text);
  if (whole !== undefined) return isObject(whole) ? whole : {};
  try {
    const value = new PartialReader(text).value();
    return isObject(value) ? value : {};
  } catch {
    // Nested deeper than a thread can follow.
    return {};
  }
}

/** Whether JSON text that comes in pieces is one whole object or list. */
export class JsonProgress {
  private depth = 0;
  private isInString = false;
  private isEscaped = false;
  private hasBegun = false;

  add(piece: string): void {
    for (const letter of piece) {
      if (this.isInString) this.addToString(letter);
      else if (letter === '"') this.isInString = true;
      else if (letter === '{' || letter === '[') {
        this.hasBegun = true;
        this.depth += 1;
      } else if (letter === '}' || letter === ']') this.depth -= 1;
    }
  }

  get isComplete(): boolean {
    return this.hasBegun && this.depth <= 0 && !this.isInString;
  }

  private addToString(letter: string): void {
    if (this.isEscaped) this.isEscaped = false;
    else if (letter === '\\') this.isEscaped = true;
    else if (letter === '"') this.isInString = false;
  }
}
