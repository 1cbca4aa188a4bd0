import type { MakeTap } from './link.ts';

/** Pass them on, or hold this connection still from here on. */
export type WatchBytes = (bytes: Buffer, from: 'client' | 'server') => 'pass' | 'hold';

/** Shows all that is said on a connection, as it comes. */
export const watchBytes =
  (watch: WatchBytes): MakeTap =>
  (wire) => {
    let held = false;
    const carry = (from: 'client' | 'server', pass: (bytes: Buffer) => void) => (bytes: Buffer) => {
      held ||= watch(bytes, from) === 'hold';
      if (!held) pass(bytes);
    };
    return { fromClient: carry('client', wire.toServer), fromServer: carry('server', wire.toClient) };
  };
