import { dictionary } from '@zxcvbn-ts/language-common';

/** An attacker can try as many within days, with ten failures in 15 minutes from each of a few networks. */
const checkedPasswords = 3_000;
/** Shorter passwords are refused for their length. */
const minLength = 8;

const common = new Set(
  dictionary['passwords-common'].filter((password) => password.length >= minLength).slice(0, checkedPasswords),
);

/** Whether the password is one of those that attackers try first, in upper or lower case. */
export const isCommonPassword = (password: string): boolean => common.has(password.toLowerCase());
