import type { MakeTap } from './link.ts';

/** Returns whether bytes are forwarded, or the connection forwards nothing from then on. */
export type ByteInterceptor = (bytes: Buffer, from: 'client' | 'server') => 'pass' | 'hold';

/** Passes all bytes of a connection to `intercept` before it forwards them. */
export const interceptBytes =
  (intercept: ByteInterceptor): MakeTap =>
  (wire) => {
    let held = false;
    const forward = (from: 'client' | 'server', pass: (bytes: Buffer) => void) => (bytes: Buffer) => {
      held ||= intercept(bytes, from) === 'hold';
      if (!held) pass(bytes);
    };
    return { fromClient: forward('client', wire.toServer), fromServer: forward('server', wire.toClient) };
  };
