import { isIP } from 'node:net';
import { mayBePublic } from '../../public-address.ts';

/** Which addresses a request may refer the upstream to: `MEDIA_URLS`. `spec 17.29` */
export type MediaUrls = 'public' | 'data' | 'any';

/** Addresses that are signed have one to four thousand characters. */
const maxLength = 8_192;

/**
 * What is wrong with an address that the upstream may fetch; undefined if nothing. Parsers read unusual spellings in different ways,
 * and that of the upstream is unknown: only usual ones are accepted. What a name resolves to is unknown here.
 */
export function mediaUrlProblem(text: string, accepted: Exclude<MediaUrls, 'any'>): string | undefined {
  if (text.startsWith('data:')) return undefined;
  if (accepted === 'data') return 'Input should be a data URL';
  if (text.length > maxLength) return `URL should have at most ${maxLength} characters`;
  if (/[\s\\\p{Cc}]/u.test(text)) return 'URL should not contain spaces, backslashes or control characters';
  const authority = /^https?:\/\/([^/?#]+)/.exec(text)?.[1];
  if (!authority) return 'Input should be a data URL, or begin with http:// or https:// and name a host';
  if (authority.includes('@')) return 'URL should not contain a user or a password';
  const { hostname = '', port = '' } = URL.parse(text) ?? {};
  const isUsual = /^[\x21-\x7e]+$/.test(authority) && !authority.includes('%') && !/(^|\.)(\.|$)/.test(hostname);
  const isUsualAddress = authority.toLowerCase().replace(/:\d{0,5}$/, '') === hostname;
  const host = hostname.replace(/^\[(.*)\]$/, '$1');
  if (!isUsual || port === '0' || (isIP(host) && !isUsualAddress))
    return 'URL should name a host in its usual spelling';
  return mayBePublic(hostname)
    ? undefined
    : 'URL should lead to a public address; the setting MEDIA_URLS=any allows others';
}
