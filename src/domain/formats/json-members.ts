// JSON text is cut into its members without parsing them: no number is rounded, and a long text is not copied into objects.

export interface Member {
  name: string;
  /** The value, as JSON text. */
  value: string;
}

const [quote, backslash, comma] = ['"', '\\', ','].map((character) => character.charCodeAt(0)) as [
  number,
  number,
  number,
];
const opening = new Set(['{', '['].map((character) => character.charCodeAt(0)));
const closing = new Set(['}', ']'].map((character) => character.charCodeAt(0)));

/** The index after the string that begins at `start`. Each backslash is read at most twice. */
function endOfString(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); end > 0; end = text.indexOf('"', end + 1)) {
    let before = end - 1;
    while (text.charCodeAt(before) === backslash) before -= 1;
    if ((end - 1 - before) % 2 === 0) return end + 1;
  }
  throw new SyntaxError('the JSON text ends within a string');
}

/** The index after the value that begins at `start`: of the comma or the bracket that follows it. */
function endOfValue(text: string, start: number): number {
  let depth = 0;
  for (let at = start; at < text.length; ) {
    const character = text.charCodeAt(at);
    if (character === quote) {
      at = endOfString(text, at);
      continue;
    }
    if (depth === 0 && (character === comma || closing.has(character))) return at;
    if (opening.has(character)) depth += 1;
    else if (closing.has(character)) depth -= 1;
    at += 1;
  }
  throw new SyntaxError('the JSON text ends within a value');
}

/** The items of an array, as JSON text. `text` has no spaces between its values. */
export function* readItems(text: string): Generator<string> {
  if (text === '[]') return;
  for (let at = 1; at < text.length; at += 1) {
    const end = endOfValue(text, at);
    yield text.slice(at, end);
    at = end;
  }
}

/** The members of an object, in their order. `text` has no spaces between its values. */
export function* readMembers(text: string): Generator<Member> {
  for (let at = 1; text.charCodeAt(at) === quote; at += 1) {
    const colon = endOfString(text, at);
    const end = endOfValue(text, colon + 1);
    yield { name: JSON.parse(text.slice(at, colon)) as string, value: text.slice(colon + 1, end) };
    at = end;
  }
}

/** The object of these members. */
export const joinMembers = (members: Iterable<Member>): string =>
  `{${Array.from(members, ({ name, value }) => `${JSON.stringify(name)}:${value}`).join(',')}}`;
