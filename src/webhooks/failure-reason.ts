import { HostRefused, PortRefused } from './guard-connections.ts';
import { AnswerTooLarge } from './limit-response.ts';

const wordsByCode: Record<string, string> = {
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

/**
 * Why there was no answer, in words for the team's delivery log: nothing about our network, no address, no stack. Reasons are only told
 * apart for hosts that were connected to.
 */
export function reasonOf(error: unknown): string {
  if ([HostRefused, PortRefused, AnswerTooLarge].some((known) => error instanceof known))
    return (error as Error).message;
  const { name, code = '' } = error as { name?: string; code?: unknown };
  const text = String(code);
  if (name === 'HTTPParserError') return 'the answer was not HTTP';
  if (/TLS|SSL|CERT|ISSUER|SIGNATURE/.test(text)) return 'TLS could not be set up';
  return wordsByCode[text] ?? 'the connection failed';
}
