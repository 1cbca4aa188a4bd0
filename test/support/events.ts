/** The data of each event of a stream, without comments. Throws if a byte does not fit the grammar. */
export function readEvents(text: string): string[] {
  if (!/^(?:data: [^\n]*\n\n|: [^\n]*\n)*$/.test(text)) throw new Error(`not an event stream:\n${text}`);
  return text
    .replaceAll(/^: .*\n/gm, '')
    .split('\n\n')
    .filter((event) => event.startsWith('data: '))
    .map((event) => event.slice('data: '.length));
}
