import { AnswerTooLarge } from './bound-answer.ts';
import { AddressRefused } from './connect-publicly.ts';

const wordsByCode: Record<string, string> = {
  ENOTFOUND: 'the name of the host was not found',
  ENODATA: 'the name of the host was not found',
  ESERVFAIL: 'the name of the host was not found',
  EAI_AGAIN: 'the name of the host was not found',
  ECONNREFUSED: 'the connection was refused',
  ECONNRESET: 'the connection was reset',
  EPIPE: 'the connection was reset',
  UND_ERR_SOCKET: 'the connection was closed before there was an answer',
  UND_ERR_HEADERS_OVERFLOW: 'the headers of the answer were too large',
  EHOSTUNREACH: 'the host cannot be reached',
  ENETUNREACH: 'the host cannot be reached',
  ETIMEDOUT: 'timed out',
  ETIMEOUT: 'timed out',
  UND_ERR_CONNECT_TIMEOUT: 'timed out',
  UND_ERR_HEADERS_TIMEOUT: 'timed out',
  UND_ERR_BODY_TIMEOUT: 'timed out',
};

export const timedOut = (): Error => Object.assign(new Error('the attempt took too long'), { code: 'ETIMEDOUT' });

/** Why there was no answer, in words for the team's delivery log: nothing about our network, no address, no stack. */
export function reasonOf(error: unknown): string {
  if (error instanceof AddressRefused || error instanceof AnswerTooLarge) return error.message;
  const { name, code = '' } = error as { name?: string; code?: unknown };
  const text = String(code);
  if (name === 'HTTPParserError') return 'the answer was not HTTP';
  if (/TLS|SSL|CERT|ISSUER|SIGNATURE/.test(text)) return 'TLS could not be set up';
  return wordsByCode[text] ?? 'the connection failed';
}
