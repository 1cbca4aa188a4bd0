import type { Behaviour } from './behaviour.ts';

/** One server-sent event as the pieces in which it is written: all of these mean the same to a reader that keeps to the standard. */
export function frameEvent(data: string, framing: Behaviour['framing']): Buffer[] {
  switch (framing) {
    case 'plain':
      return [Buffer.from(`data: ${data}\n\n`)];
    case 'crlf':
      return [Buffer.from(`data: ${data}\r\n\r\n`)];
    case 'comments':
      return [Buffer.from(': still here\n\n'), Buffer.from(`id: 1\nevent: message\ndata:${data}\n\n`)];
    case 'split':
      return splitBytes(Buffer.from(`data: ${data}\n\n`), 7);
  }
}

/** Cuts through characters and line ends alike. */
const splitBytes = (bytes: Buffer, size: number): Buffer[] =>
  Array.from({ length: Math.ceil(bytes.length / size) }, (_, index) =>
    bytes.subarray(index * size, (index + 1) * size),
  );
