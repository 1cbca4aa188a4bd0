/** The stored JSON as text for a form; empty where nothing is stored. */
export const metadataText = (metadata: object): string =>
  Object.keys(metadata).length === 0 ? '' : JSON.stringify(metadata, null, 2);

/** What is no JSON is sent as it is, so that the answer of the service names what is wrong with it. */
export function parseMetadata(text: string): unknown {
  if (text.trim() === '') return {};
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
