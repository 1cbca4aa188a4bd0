import { utf8Length } from './metadata.ts';

/** A limit of Temporal. */
const maxSummaryBytes = 400;

/** One line for the Temporal UI, cut between characters. The limit applies to its JSON, with the quotes. */
export function summary(text: string): string {
  let cut = text;
  while (utf8Length(JSON.stringify(cut)) > maxSummaryBytes) cut = [...cut].slice(0, -8).join('');
  return cut;
}
