const defaultPorts: Record<string, string> = { 'http:': '80', 'https:': '443' };

/** Scheme, host and port as the URL parser reads them. A dot at the end makes no other host: names are looked up without search domains. */
function originOf(text: string): string | undefined {
  const url = URL.parse(text);
  if (!url) return undefined;
  const { protocol, hostname, port } = url;
  return `${protocol}//${hostname.replace(/\.$/, '')}:${port || defaultPorts[protocol]}`;
}

/** Whether two URLs name the same receiver. False where one of them cannot be read. */
export function haveSameOrigin(one: string, other: string): boolean {
  const origin = originOf(one);
  return origin !== undefined && origin === originOf(other);
}
