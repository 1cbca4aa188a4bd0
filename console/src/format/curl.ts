/** The variable of the shell that has the key, so that the key is not in the line. A key that the page shows anyway is in it. */
type Credential = { keyName: 'API_KEY' | 'MASTER_KEY' | 'VIRTUAL_KEY' } | { key: string };

type CurlRequest = Credential & {
  /** The whole address. */
  url: string;
  /** The body is sent as JSON with a POST. */
  body?: unknown;
};

function toHeader(credential: Credential): string {
  if ('key' in credential) return quoted(`Authorization: Bearer ${credential.key}`);
  const { keyName } = credential;
  return keyName === 'MASTER_KEY' ? '"X-Admin-Key: $MASTER_KEY"' : `"Authorization: Bearer $${keyName}"`;
}

/** The text within the single quotes of a shell. */
const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;

/** A request as a command for a shell. */
export function curlLine({ url, body, ...credential }: CurlRequest): string {
  const parts = [`curl ${quoted(url)}`, `-H ${toHeader(credential)}`];
  if (body !== undefined) parts.push(`-H 'Content-Type: application/json'`, `-d ${quoted(JSON.stringify(body))}`);
  return parts.join(' \\\n  ');
}
