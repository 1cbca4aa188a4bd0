/** Why an attempt at a delivery failed without an answer: the code for programs, and the sentence that the record has. `spec 11.15` */
export const deliveryErrors = {
  url_not_readable: 'the URL cannot be read',
  host_not_allowed: 'the host was not found or must not be connected to',
  port_not_allowed: 'the port must not be connected to',
  host_unreachable: 'the host cannot be reached',
  connection_refused: 'the connection was refused',
  connection_reset: 'the connection was reset',
  connection_closed: 'the connection was closed before there was an answer',
  connection_failed: 'the connection failed',
  tls_failed: 'TLS could not be set up',
  timeout: 'timed out',
  answer_not_http: 'the answer was not HTTP',
  answer_headers_too_large: 'the headers of the answer were too large',
  answer_too_large: 'the answer was too large',
  webhook_inactive: 'the webhook is inactive',
  workflow_terminated: "the delivery's workflow was terminated",
} as const;
type FailureWithoutStatus = keyof typeof deliveryErrors;

/** `redirected`, `http_status`: there was an answer, with a status that is no success. */
export type DeliveryErrorCode = FailureWithoutStatus | 'redirected' | 'http_status';
const codes = Object.keys(deliveryErrors) as FailureWithoutStatus[];
export const deliveryErrorCodes: readonly DeliveryErrorCode[] = [...codes, 'redirected', 'http_status'];

/** The code of an error in the record; null without one. Its sentence decides, because a status may be that of an earlier attempt. */
export function deliveryErrorCode(error: string | null): DeliveryErrorCode | null {
  if (error === null) return null;
  if (error.startsWith('HTTP ')) return error.startsWith('HTTP 3') ? 'redirected' : 'http_status';
  return codes.find((code) => deliveryErrors[code] === error) ?? 'connection_failed';
}
