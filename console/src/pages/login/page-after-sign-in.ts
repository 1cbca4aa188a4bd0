import { consolePath, pagesPath } from '../../api/base.ts';

/** Whether it is an address of this console: a link to the login page could name any other one. */
const isOwnAddress = (next: string | undefined): next is string => next !== undefined && /^\/(?![/\\])/.test(next);

/** The address of the page that was asked for, or of the first one. */
export function pageAfterSignIn(next: string | undefined): string {
  if (!isOwnAddress(next)) return `${pagesPath}/`;
  return next.startsWith(consolePath) ? next : pagesPath + next;
}
