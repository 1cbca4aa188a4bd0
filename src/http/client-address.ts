import { isIP } from 'node:net';
import type { Request } from 'express';

/** `203.0.113.7:40001`, `[2001:db8::7]:40001`: some proxies name the port too, and it is another one for each connection. */
const withPort = /^(?:\[(.+)\]|(\d+(?:\.\d+){3}))(?::\d+)?$/;

/** The client's address, for limits and the audit log: that of the connection where a trusted proxy names none. */
export function clientAddress({ ip = '', socket }: Pick<Request, 'ip' | 'socket'>): string {
  const [, v6, v4] = withPort.exec(ip) ?? [];
  const address = v6 ?? v4 ?? ip;
  return isIP(address) ? address : (socket.remoteAddress ?? '');
}
