import { type IncomingHttpHeaders, type Server, type ServerResponse, STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import { refuse } from '../errors.ts';
import { chooseRequestId } from '../http/log-requests.ts';
import { defaultSurface } from '../http/surfaces.ts';

/** By the code of Node.js. */
const codes: Record<string, BrokenCode> = {
  HPE_HEADER_OVERFLOW: 'headers_too_large',
  HPE_CHUNK_EXTENSIONS_OVERFLOW: 'body_too_large',
  ERR_HTTP_REQUEST_TIMEOUT: 'request_timeout',
};
type BrokenCode =
  | 'headers_too_large'
  | 'body_too_large'
  | 'request_timeout'
  | 'request_malformed'
  /** Node.js does not pass on a request for a tunnel (CONNECT), nor one with a method that it does not support. */
  | 'method_not_allowed';
const methods = 'Allow: GET, HEAD, POST, PUT, PATCH, DELETE';
const requestLine = /^[!#$%&'*+.^_`|~\w-]+ \S+ HTTP\/1\.[01]$/;

/** Node.js refuses larger headers with 431. */
export const maxHeadBytes = 16_384;
const requestIdField = 'x-request-id:';

/** Undefined if the request is broken in another way. The packet is read in one pass, whatever its content. */
function headersOfUnknownMethod({ code, rawPacket }: ParseError): IncomingHttpHeaders | undefined {
  if (code !== 'HPE_INVALID_METHOD' || !rawPacket) return undefined;
  // The text after the last CRLF is not a complete line.
  const [first = '', ...lines] = rawPacket.toString('latin1', 0, maxHeadBytes).split('\r\n').slice(0, -1);
  if (!requestLine.test(first)) return undefined;
  const end = lines.indexOf('');
  const fields = end === -1 ? lines : lines.slice(0, end);
  const given = fields.filter((line) => line.slice(0, requestIdField.length).toLowerCase() === requestIdField);
  return { 'x-request-id': given.length === 1 ? given[0]!.slice(requestIdField.length).trim() : undefined };
}

interface ParseError extends NodeJS.ErrnoException {
  rawPacket?: Buffer;
}

/** If bytes arrive after the connection was closed, the client loses the answer. They are accepted for this long. */
const lingerMs = 1_000;

/** Stops reading. A client that is still sending has `lingerMs` to receive the last answer. */
function end(socket: Duplex, lastBytes = ''): void {
  // Node.js removes its listeners from the socket of a CONNECT request: without one, a reset would end the process.
  socket.on('error', () => socket.destroy());
  socket.end(lastBytes);
  const timer = setTimeout(() => socket.destroy(), lingerMs);
  socket.once('end', () => socket.destroy()).once('close', () => clearTimeout(timer));
}

type Rejection = [code: BrokenCode, requestHeaders?: IncomingHttpHeaders, ...headers: string[]];

function reject(socket: Duplex, [code, requestHeaders = {}, ...headers]: Rejection): void {
  const { status, message: detail } = refuse(code);
  // The path of a request that was not read is not known.
  const body = JSON.stringify(defaultSurface.errorBody({ status, code, detail }));
  const head = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    'Content-Type: application/json; charset=utf-8',
    `Content-Length: ${Buffer.byteLength(body)}`,
    `X-Request-Id: ${chooseRequestId(requestHeaders)}`,
    'Connection: close',
    ...headers,
  ];
  end(socket, `${head.join('\r\n')}\r\n\r\n${body}`);
}

/** The last two responses of a connection. They are sent in order, and a request is read only after the one before it is complete. */
interface Responses {
  last: ServerResponse;
  before: ServerResponse | undefined;
}

const isUnfinished = (response?: ServerResponse): boolean => response?.writableFinished === false;

/** The last response that is not completely sent, to a request that was completely received. */
const lastUnfinished = ({ last, before }: Responses): ServerResponse | undefined =>
  [last, before].find((one) => one?.req.complete && isUnfinished(one));

/** The request that is being received was answered before its end: another answer would be read as a part of that one. */
const hasEarlyResponse = ({ last }: Responses): boolean => last.headersSent && !last.req.complete;

/**
 * Input that is not HTTP does not reach the app: it is answered here, in the same form, and the connection ends. If earlier requests
 * of the connection are not answered yet, it gets no answer, because the client would take it for theirs: the connection ends with
 * the last of them.
 */
export function refuseBrokenRequests(server: Server): void {
  const responses = new WeakMap<Duplex, Responses>();
  const ending = new WeakSet<Duplex>();
  for (const event of ['request', 'checkContinue', 'checkExpectation'])
    server.on(event, ({ socket }, last) => {
      const before = responses.get(socket)?.last;
      responses.set(socket, { last, before: isUnfinished(before) ? before : undefined });
    });

  const endWith = (socket: Duplex, ...rejection: Rejection) => {
    const given = responses.get(socket);
    const awaited = given && lastUnfinished(given);
    if (awaited) {
      awaited.shouldKeepAlive = false;
      awaited.once('close', () => end(socket));
    } else if (given && hasEarlyResponse(given)) socket.destroy();
    else reject(socket, rejection);
  };

  server.on('connect', ({ headers }, socket) => endWith(socket, 'method_not_allowed', headers, methods));

  server.on('clientError', (error: ParseError, socket) => {
    // The rest of a broken request is broken too.
    if (ending.has(socket)) return;
    ending.add(socket);
    const isOver = error.code === 'ECONNRESET' || !socket.writable;
    if (isOver) return void socket.destroy();
    const headers = headersOfUnknownMethod(error);
    if (headers) endWith(socket, 'method_not_allowed', headers, methods);
    else endWith(socket, codes[error.code ?? ''] ?? 'request_malformed');
  });
}
