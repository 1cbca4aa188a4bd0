import type { IncomingMessage } from 'node:http';
import type { Config } from '../config.ts';
import { isLoopback } from '../config.ts';
import { spelled } from './same-host.ts';

const hostAndPort = /^(\[[\da-f:.]+\]|[\w.~!$&'()*+,;=%-]*)(:\d*)?$/i;
/** The authority of a request target in absolute form: it stands for the header. */
const absoluteForm = /^[a-z][a-z\d+.-]*:\/\/([^/?#]*)/i;

export type HostProblem = 'request_malformed' | 'host_not_served';

/**
 * What is wrong with the host that a request names. RFC 9112, 3.2: without the header, with two of them, or with what is no host,
 * it is unknown which one was meant.
 *
 * While the service listens on a loopback address, it serves loopback names and those of `ALLOWED_HOSTS` only: any web page can
 * make its own name resolve to 127.0.0.1, and would have the same origin as the service (DNS rebinding). On other addresses it serves every name
 * unless `ALLOWED_HOSTS` limits them; loopback names and its own address are still served, for probes: no foreign web page has these.
 */
export function hostProblems({ HOST, ALLOWED_HOSTS }: Pick<Config, 'HOST' | 'ALLOWED_HOSTS'>) {
  const isLimited = isLoopback(HOST) || ALLOWED_HOSTS.length > 0;
  const allowed = new Set([HOST, ...ALLOWED_HOSTS].map(spelled));
  const isServed = (host: string): boolean => {
    const name = spelled(host);
    return allowed.has(name) || isLoopback(name);
  };
  return ({ headersDistinct, httpVersionMinor, url = '' }: IncomingMessage): HostProblem | undefined => {
    const given = headersDistinct.host ?? [];
    const isMissing = given.length === 0 && httpVersionMinor >= 1;
    const target = absoluteForm.exec(url)?.[1];
    const hosts = [...given, ...(target === undefined ? [] : [target])].map((one) => hostAndPort.exec(one)?.[1]);
    if (isMissing || given.length > 1 || hosts.includes(undefined)) return 'request_malformed';
    return isLimited && !hosts.every((host) => isServed(host!)) ? 'host_not_served' : undefined;
  };
}
