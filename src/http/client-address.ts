import { isIP } from 'node:net';
import type { Request, RequestHandler } from 'express';
import ipaddr from 'ipaddr.js';
import type { Config } from '../config.ts';
import type { Log } from '../log.ts';

/** `203.0.113.7:40001`, `[2001:db8::7]:40001`: some proxies name the port too, and it is another one for each connection. */
const withPort = /^(?:\[(.+)\]|(\d+(?:\.\d+){3}))(?::\d+)?$/;

/** One spelling for each address: an IPv4 client of an IPv6 socket (`::ffff:203.0.113.7`) is the same client. */
const canonical = (address: string): string => (isIP(address) ? ipaddr.process(address).toString() : '');

/** The client's address, for limits and the audit log: that of the connection where a trusted proxy names none. */
export function clientAddress({ ip = '', socket }: Pick<Request, 'ip' | 'socket'>): string {
  const [, v6, v4] = withPort.exec(ip) ?? [];
  return canonical(v6 ?? v4 ?? ip) || canonical(socket.remoteAddress ?? '');
}

/** Logs the first `X-Forwarded-For` while no proxy is trusted: then all clients of that proxy share its address in limits. */
export function warnOfUntrustedProxy({ config, log }: { config: Config; log: Log }): RequestHandler {
  let isDue = !config.TRUST_PROXY;
  return ({ headers, socket }, _response, next) => {
    if (isDue && headers['x-forwarded-for'] !== undefined) {
      isDue = false;
      log.warn({ from: socket.remoteAddress }, 'proxy: X-Forwarded-For is ignored, because TRUST_PROXY is off');
    }
    next();
  };
}
