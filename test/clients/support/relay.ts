import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface Relay {
  url: string;
  /** The headers of the requests so far. */
  requests: IncomingHttpHeaders[];
  /** The bodies of the answers so far, one after the other. */
  answered: string;
  /** Called for every answer, before it is passed on, and may change its headers. `cut`: the client gets no answer; a number: so many bytes of its body. */
  onAnswer: (status: number, headers: IncomingHttpHeaders) => Promise<'cut' | number | undefined>;
  close(): Promise<void>;
}

const passOn: Relay['onAnswer'] = async () => undefined;

/** Stands between a client and the gateway, so that a test sees the client's requests, and can disturb an answer. */
export async function openRelay(target: () => string): Promise<Relay> {
  const relay = { requests: [] as IncomingHttpHeaders[], answered: '', onAnswer: passOn };
  const server = createServer((incoming, outgoing) => {
    relay.requests.push(incoming.headers);
    const onAnswer: Relay['onAnswer'] = (status, headers) => relay.onAnswer(status, headers);
    forward(target(), incoming, outgoing, onAnswer, (piece) => {
      relay.answered += piece;
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return Object.assign(relay, {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async close() {
      server.closeAllConnections();
      server.close();
    },
  });
}

/** A client that leaves takes its request with it, as it does without a relay. */
function forward(
  target: string,
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  onAnswer: Relay['onAnswer'],
  onPiece: (piece: Buffer) => void,
): void {
  const { method, headers, url } = incoming;
  const forwarded = request(`${target}${url}`, { method, headers, agent: false }, async (answer) => {
    const cut = await onAnswer(answer.statusCode!, answer.headers);
    if (cut === 'cut') return outgoing.destroy();
    outgoing.writeHead(answer.statusCode!, answer.headers);
    // A stream that breaks off breaks off for the client too.
    answer.once('error', () => outgoing.destroy());
    answer.on('data', onPiece);
    return cut === undefined ? answer.pipe(outgoing) : passUntil(cut, answer, outgoing);
  });
  forwarded.on('error', () => outgoing.destroy());
  outgoing.once('close', () => forwarded.destroy());
  incoming.pipe(forwarded);
}

/** The connection of the client ends after so many bytes, that of the gateway with it. */
function passUntil(bytes: number, answer: IncomingMessage, outgoing: ServerResponse): void {
  let left = bytes;
  answer.on('data', (piece: Buffer) => {
    outgoing.write(piece.subarray(0, left), () => left <= 0 && outgoing.destroy());
    left -= piece.length;
  });
  answer.once('end', () => left > 0 && outgoing.end());
}
