import { largestBalance } from '../../domain/credits.ts';

/**
 * The limit of a fixed budget after an addition: as much more, as far as the column goes. Null stays null; beyond that the
 * figure decides nothing, so it is no reason to refuse. `rulings.md` 6.3.
 */
export const raisedLimit = (account: string, credits: string): string =>
  `${account}.credit_limit + least(${credits}, ${largestBalance} - ${account}.credit_limit)`;
