const lowest = '00000000-0000-0000-0000-000000000000';
const highest = 'ffffffff-ffff-ffff-ffff-ffffffffffff';
const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

export interface UuidRange {
  from: string;
  to: string;
}

/** The first and the last UUID that begins with the text; undefined for a text with which none begins. */
export function uuidRange(text: string): UuidRange | undefined {
  const beginning = text.toLowerCase();
  const from = beginning + lowest.slice(beginning.length);
  return uuid.test(from) ? { from, to: beginning + highest.slice(beginning.length) } : undefined;
}
