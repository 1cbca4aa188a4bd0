import { dictionary } from '@zxcvbn-ts/language-common';

/** As many as an attacker gets to try within days, at ten failures in 15 minutes from each of a few networks. */
const mostCommon = 3_000;
/** Shorter passwords are refused anyway. */
const shortest = 8;

const common = new Set(
  dictionary['passwords-common'].filter((password) => password.length >= shortest).slice(0, mostCommon),
);

/** Whether it is among the passwords that are tried first, in whatever case. */
export const isCommonPassword = (password: string): boolean => common.has(password.toLowerCase());
