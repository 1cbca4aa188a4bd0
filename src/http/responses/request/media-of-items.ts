import { invalid } from '../../../errors.ts';
import { type MediaUrls, mediaUrlProblem } from '../../v1/media-url.ts';
import type { SentInput } from './items.ts';

type Fields = Readonly<Record<string, unknown>>;

/** Base64 has neither of these characters, and does not begin with two slashes. */
const isAddress = (text: string): boolean => /[:\\]/.test(text.slice(0, 200)) || /^\s*\/\//.test(text);

const problemOf = (accepted: Exclude<MediaUrls, 'any'>, text: unknown, isData: boolean): string | undefined =>
  typeof text === 'string' && (!isData || isAddress(text)) ? mediaUrlProblem(text, accepted) : undefined;

/** The addresses of a part: the path to each, and whether it may be data instead. */
const addressesOf = ({ image_url, file_url, file_data, input_audio }: Fields): [string[], unknown, boolean][] => [
  [['image_url'], image_url, false],
  [['file_url'], file_url, false],
  [['file_data'], file_data, true],
  [['input_audio', 'data'], (input_audio as Fields | undefined)?.data, true],
];

/** The parts of the items, each with its path. */
function* partsOf(items: readonly Fields[]): Generator<[(string | number)[], Fields]> {
  for (const [index, item] of items.entries())
    for (const key of ['content', 'output']) {
      const parts = item[key];
      if (Array.isArray(parts)) for (const [at, part] of parts.entries()) yield [[index, key, at], part as Fields];
    }
}

/** Refuses an input that refers the upstream to an address that it should not fetch. `spec 17.29` */
export function requireMediaOfItems(accepted: MediaUrls, input: SentInput): void {
  if (accepted === 'any' || typeof input === 'string') return;
  for (const [place, part] of partsOf(input))
    for (const [path, text, isData] of addressesOf(part)) {
      const problem = problemOf(accepted, text, isData);
      if (problem) throw invalid(['body', 'input', ...place, ...path], problem);
    }
}
