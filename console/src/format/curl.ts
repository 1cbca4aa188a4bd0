interface CurlRequest {
  /** The whole address. */
  url: string;
  /** The variable of the shell that has the key. The key itself is not in the line. */
  keyName: 'API_KEY' | 'VIRTUAL_KEY';
  /** Sent as JSON with a POST. */
  body?: unknown;
}

/** Within the single quotes of a shell. */
const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;

/** A request as a command for a shell. */
export function curlLine({ url, keyName, body }: CurlRequest): string {
  const parts = [`curl ${quoted(url)}`, `-H "Authorization: Bearer $${keyName}"`];
  if (body !== undefined) parts.push(`-H 'Content-Type: application/json'`, `-d ${quoted(JSON.stringify(body))}`);
  return parts.join(' \\\n  ');
}
