import type { IncomingHttpHeaders, Server, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { requestIdOf } from './request-id.ts';

const answers: Record<string, [status: string, detail: string]> = {
  HPE_HEADER_OVERFLOW: ['431 Request Header Fields Too Large', 'Request header fields too large'],
  HPE_CHUNK_EXTENSIONS_OVERFLOW: ['413 Payload Too Large', 'Request body too large'],
  ERR_HTTP_REQUEST_TIMEOUT: ['408 Request Timeout', 'Request timed out'],
};
const otherwise: [string, string] = ['400 Bad Request', 'Malformed request'];
/** Node passes on neither a request for a tunnel instead of a path, nor one with a method that it does not know. */
const wrongMethod: [string, string] = ['405 Method Not Allowed', 'Method Not Allowed'];
const methods = 'Allow: GET, HEAD, POST, PUT, PATCH, DELETE';
const requestLine = /^[!#$%&'*+.^_`|~\w-]+ \S+ HTTP\/1\.[01]\r\n/;

/** Undefined: the request was broken in another way. */
function headersOfUnknownMethod({ code, rawPacket }: ParseError): IncomingHttpHeaders | undefined {
  const text = code === 'HPE_INVALID_METHOD' ? (rawPacket?.toString('latin1') ?? '') : '';
  if (!requestLine.test(text)) return undefined;
  return { 'x-request-id': /\r\nX-Request-Id:[ \t]*(.*?)[ \t]*\r\n/i.exec(text)?.[1] };
}

interface ParseError extends NodeJS.ErrnoException {
  rawPacket?: Buffer;
}

/** Bytes still on their way when a connection is closed make the client lose the answer: they are accepted for this long. */
const lingerMs = 1_000;

/** An answer to the last request of the connection has begun: more bytes would be read as a part of it. */
const isAnswered = (response: ServerResponse | undefined): boolean =>
  Boolean(response?.headersSent && !(response.writableFinished && response.req.complete));

function answer(
  socket: Duplex,
  [status, detail]: [string, string],
  asked: IncomingHttpHeaders = {},
  ...headers: string[]
): void {
  const body = JSON.stringify({ detail });
  const head = [
    `HTTP/1.1 ${status}`,
    'Content-Type: application/json; charset=utf-8',
    `Content-Length: ${Buffer.byteLength(body)}`,
    `X-Request-Id: ${requestIdOf(asked)}`,
    'Connection: close',
    ...headers,
  ];
  // Node no longer listens to a socket that asks for a tunnel: without a listener, a reset of it would end the process.
  socket.on('error', () => socket.destroy());
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`);
  const timer = setTimeout(() => socket.destroy(), lingerMs);
  socket.once('end', () => socket.destroy()).once('close', () => clearTimeout(timer));
}

/** Input that is not HTTP never reaches the app: it is answered here, in the same form, and the connection ends. */
export function answerBrokenRequests(server: Server): void {
  const last = new WeakMap<Duplex, ServerResponse>();
  const ending = new WeakSet<Duplex>();
  for (const event of ['request', 'checkContinue', 'checkExpectation'])
    server.on(event, (request, response) => last.set(request.socket, response));

  server.on('connect', ({ headers }, socket) => answer(socket, wrongMethod, headers, methods));

  server.on('clientError', (error: ParseError, socket) => {
    // The rest of a broken request is broken too.
    if (ending.has(socket)) return;
    ending.add(socket);
    const isOver = error.code === 'ECONNRESET' || !socket.writable || isAnswered(last.get(socket));
    if (isOver) return void socket.destroy();
    const headers = headersOfUnknownMethod(error);
    if (headers) answer(socket, wrongMethod, headers, methods);
    else answer(socket, answers[error.code ?? ''] ?? otherwise);
  });
}
