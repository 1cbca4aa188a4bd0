/** Above this the position is not searched for: a client that sends as much has tools to find it. */
const longestSearched = 100_000;

const positionIn = (error: unknown): number | undefined => {
  const position = /at position (\d+)/.exec(error instanceof Error ? error.message : '')?.[1];
  return position === undefined ? undefined : Number(position);
};

/** The text could still become JSON if more followed. */
function isBeginning(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch (error) {
    const position = positionIn(error);
    return position === undefined ? (error as Error).message.includes('Unexpected end') : position >= text.length;
  }
}

/**
 * Where `JSON.parse` gave up, in characters. V8 tells it for some errors only; for the others it is the end of the longest
 * beginning that could still become JSON, found by halving.
 */
export function jsonErrorPosition(error: unknown, text: string): number {
  const told = positionIn(error);
  if (told !== undefined) return told;
  if (isBeginning(text)) return text.length;
  if (text.length > longestSearched) return 0;
  let [good, bad] = [0, text.length];
  while (bad - good > 1) {
    const middle = Math.floor((good + bad) / 2);
    if (isBeginning(text.slice(0, middle))) good = middle;
    else bad = middle;
  }
  return good;
}
