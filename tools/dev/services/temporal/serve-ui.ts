import { once } from 'node:events';
import { Agent, createServer, type IncomingMessage, request, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { hostProblems } from '../../../../src/http/served-hosts.ts';
import { freePort } from '../free-port.ts';

const host = '127.0.0.1';
const usualPort = 8233;

/** The address at which Temporal's own UI listens. */
export interface UiAddress {
  host: string;
  port: number;
}

/**
 * Temporal's UI has no login and serves any host: a web page that lets its own name resolve to 127.0.0.1 would have the same origin, and
 * could read and end all jobs. So people get this address, which passes on what names a loopback host, and the UI itself listens
 * where no page can guess.
 */
export async function serveUi(ui: UiAddress): Promise<{ url: string; server: Server }> {
  const problemOf = hostProblems({ HOST: host, ALLOWED_HOSTS: [] });
  const agent = new Agent({ keepAlive: true });
  const server = createServer({ requireHostHeader: false }, (incoming, response) => {
    if (problemOf(incoming) || !incoming.url?.startsWith('/')) refuse(421, response);
    else passOn(incoming, response, { ...ui, agent });
  });
  await listenAt(server, usualPort).catch(async () => listenAt(server, await freePort()));
  // What ends `npm start` does not wait for it.
  server.unref();
  return { url: `http://${host}:${(server.address() as AddressInfo).port}`, server };
}

async function listenAt(server: Server, port: number): Promise<void> {
  server.listen(port, host);
  await once(server, 'listening');
}

function passOn(incoming: IncomingMessage, response: ServerResponse, to: UiAddress & { agent: Agent }): void {
  const { method, url, rawHeaders } = incoming;
  const outgoing = request({ ...to, method, path: url, headers: rawHeaders, setHost: false }, (answer) => {
    response.writeHead(answer.statusCode!, answer.rawHeaders);
    answer.on('error', () => response.destroy()).pipe(response);
  });
  outgoing.on('error', () => (response.headersSent ? response.destroy() : refuse(502, response)));
  response.once('close', () => outgoing.destroy());
  incoming.pipe(outgoing);
}

const refuse = (status: number, response: ServerResponse): unknown => response.writeHead(status).end();
