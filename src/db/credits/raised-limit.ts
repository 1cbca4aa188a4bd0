import { largestBalance } from '../../domain/credits.ts';

/**
 * The limit of a fixed budget after an addition: raised by as much, up to the largest value of the column. Null stays null;
 * beyond that value the limit decides nothing, so it is no reason to refuse. `spec 6.3`
 */
export const raisedLimit = (account: string, credits: string): string =>
  `${account}.credit_limit + least(${credits}, ${largestBalance} - ${account}.credit_limit)`;
