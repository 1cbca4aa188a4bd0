/** Longest line kept: a line beyond it is an upstream gone wrong, not a token. */
const longestLine = 16 * 1_048_576;

/**
 * The `data:` values of a server-sent event stream, cut anywhere. An event's lines are joined as the standard says;
 * comments and other fields are passed over.
 */
export async function* readSse(body: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let rest = '';
  let data: string[] = [];
  for await (const bytes of body) {
    rest += decoder.decode(bytes, { stream: true });
    if (rest.length > longestLine) throw new Error('the upstream sent a line without an end');
    const lines = rest.split(/\r\n|\n|\r(?!$)/);
    rest = lines.pop()!;
    for (const line of lines) {
      if (line === '' && data.length > 0) {
        yield data.join('\n');
        data = [];
      } else if (line.startsWith('data:')) {
        data.push(line.slice(line[5] === ' ' ? 6 : 5));
      }
    }
  }
  // No blank line at the end: whatever was whole is still whole.
  if (rest.startsWith('data:')) data.push(rest.slice(rest[5] === ' ' ? 6 : 5));
  if (data.length > 0) yield data.join('\n');
}
