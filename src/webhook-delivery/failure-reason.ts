import { HostRefused, PortRefused } from './guard-connections.ts';
import { ResponseTooLarge } from './limit-response.ts';

const reasonByCode: Record<string, string> = {
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

/**
 * Why there was no response, for the team's delivery log. It shows nothing of our network: no address and no stack trace, and
 * different reasons only for hosts that may be connected to.
 */
export function failureReason(error: unknown): string {
  if ([HostRefused, PortRefused, ResponseTooLarge].some((type) => error instanceof type))
    return (error as Error).message;
  const { name, code = '' } = error as { name?: string; code?: unknown };
  const text = String(code);
  if (name === 'HTTPParserError') return 'the answer was not HTTP';
  if (/TLS|SSL|CERT|ISSUER|SIGNATURE/.test(text)) return 'TLS could not be set up';
  return reasonByCode[text] ?? 'the connection failed';
}
