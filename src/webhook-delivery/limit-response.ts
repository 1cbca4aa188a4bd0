import type { buildConnector } from 'undici';
import { deliveryErrors } from '../domain/delivery-error.ts';

export class ResponseTooLarge extends Error {
  constructor() {
    super(deliveryErrors.answer_too_large);
    this.name = 'ResponseTooLarge';
  }
}

/**
 * Connections that are closed once the receiver has sent more than `maxBytes`. A limit of the body would not be enough: the
 * framing of the body, its trailers and the 1xx responses before it can be endless too.
 */
export const limitResponse =
  (connect: buildConnector.connector, maxBytes: number): buildConnector.connector =>
  (options, callback) =>
    connect(options, (...connected) => {
      const [, socket] = connected;
      // The handshake does not count.
      const bytesBefore = socket?.bytesRead ?? 0;
      socket?.on('readable', () => {
        if (socket.bytesRead - bytesBefore > maxBytes) socket.destroy(new ResponseTooLarge());
      });
      callback(...connected);
    });
