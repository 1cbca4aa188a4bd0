import type { buildConnector } from 'undici';

export class AnswerTooLarge extends Error {
  constructor() {
    super('the answer was too large');
    this.name = 'AnswerTooLarge';
  }
}

/**
 * Connections that are cut once so many bytes came from the receiver, whatever they are. Besides its head and body an answer can
 * go on without an end in its framing, in its trailers, and in the answers of 1xx that may come before it.
 */
export const boundAnswer =
  (connect: buildConnector.connector, atMostBytes: number): buildConnector.connector =>
  (options, callback) =>
    connect(options, (...connected) => {
      const [, socket] = connected;
      // What a handshake took does not count.
      const before = socket?.bytesRead ?? 0;
      socket?.on('readable', () => {
        if (socket.bytesRead - before > atMostBytes) socket.destroy(new AnswerTooLarge());
      });
      callback(...connected);
    });
