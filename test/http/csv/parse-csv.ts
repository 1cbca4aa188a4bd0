/** The cells of a CSV text, by RFC 4180, in lines. */
export function parseCsv(text: string): string[][] {
  const lines: string[][] = [];
  let line: string[] = [];
  for (const [, quoted, plain, end] of text.matchAll(/(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n|$)/g)) {
    if (end === '' && line.length === 0 && !quoted && !plain) break;
    line.push(quoted?.replaceAll('""', '"') ?? plain ?? '');
    if (end === ',') continue;
    lines.push(line);
    line = [];
  }
  return lines;
}

/** The lines by the names of their columns. */
export function readRows(text: string): Record<string, string>[] {
  const [names = [], ...lines] = parseCsv(text);
  return lines.map((line) => Object.fromEntries(names.map((name, position) => [name, line[position]!])));
}
