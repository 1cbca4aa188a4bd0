/** What is no number is sent as it is, so that the answer of the service names what is wrong with it. Empty: null. */
export function parseNumber(text: string): number | string | null {
  const trimmed = text.trim();
  if (trimmed === '') return null;
  return Number.isFinite(Number(trimmed)) ? Number(trimmed) : trimmed;
}
