import { deliveryErrors } from '../domain/delivery-error.ts';
import { HostRefused, PortRefused } from './guard-connections.ts';
import { ResponseTooLarge } from './limit-response.ts';

const reasonByCode: Record<string, string> = {
  ECONNREFUSED: deliveryErrors.connection_refused,
  ECONNRESET: deliveryErrors.connection_reset,
  EPIPE: deliveryErrors.connection_reset,
  UND_ERR_SOCKET: deliveryErrors.connection_closed,
  UND_ERR_HEADERS_OVERFLOW: deliveryErrors.answer_headers_too_large,
  EHOSTUNREACH: deliveryErrors.host_unreachable,
  ENETUNREACH: deliveryErrors.host_unreachable,
  ETIMEDOUT: deliveryErrors.timeout,
  ETIMEOUT: deliveryErrors.timeout,
  UND_ERR_CONNECT_TIMEOUT: deliveryErrors.timeout,
  UND_ERR_HEADERS_TIMEOUT: deliveryErrors.timeout,
  UND_ERR_BODY_TIMEOUT: deliveryErrors.timeout,
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
  if (name === 'HTTPParserError') return deliveryErrors.answer_not_http;
  if (/TLS|SSL|CERT|ISSUER|SIGNATURE/.test(text)) return deliveryErrors.tls_failed;
  return reasonByCode[text] ?? deliveryErrors.connection_failed;
}
