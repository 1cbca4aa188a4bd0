import type { MakeTap } from './link.ts';
import type { Random } from './random.ts';

const lineEnd = '\r\n';

/** Where the RESP value that begins at `from` ends; undefined: not all of it is there. */
function endOfValue(bytes: Buffer, from: number): number | undefined {
  const line = bytes.indexOf(lineEnd, from);
  if (line < 0) return undefined;
  const [kind, count] = [String.fromCharCode(bytes[from]!), Number(bytes.toString('latin1', from + 1, line))];
  let end: number | undefined = line + lineEnd.length;
  if ('$!='.includes(kind)) end += count < 0 ? 0 : count + lineEnd.length;
  const inner = '*~>'.includes(kind) ? Math.max(0, count) : kind === '%' ? 2 * count : 0;
  for (let item = 0; item < inner && end !== undefined; item += 1) end = endOfValue(bytes, end);
  return end !== undefined && end <= bytes.length ? end : undefined;
}

const isMessage = (value: Buffer) => /^[*>]3\r\n\$7\r\nmessage\r\n/.test(value.toString('latin1', 0, 24));

export interface Disorder {
  dropped: number;
  doubled: number;
  swapped: number;
}

/** Of the messages that Redis publishes, one in ten is lost, one comes twice, one comes after the next one. */
export const disorderMessages =
  (random: Random, disorder: Disorder): MakeTap =>
  (wire) => {
    let kept = Buffer.alloc(0);
    let late: Buffer | undefined;
    const say = (message: Buffer) => {
      const lot = random.next();
      if (lot < 0.1) disorder.dropped += 1;
      else if (lot < 0.2) {
        disorder.doubled += 1;
        wire.toClient(Buffer.concat([message, message]));
      } else if (lot < 0.3 && !late) {
        disorder.swapped += 1;
        late = message;
      } else {
        wire.toClient(Buffer.concat([message, late ?? Buffer.alloc(0)]));
        late = undefined;
      }
    };
    return {
      fromClient: wire.toServer,
      fromServer(bytes) {
        kept = Buffer.concat([kept, bytes]);
        for (let end = endOfValue(kept, 0); end !== undefined && kept.length > 0; end = endOfValue(kept, 0)) {
          const value = kept.subarray(0, end);
          kept = kept.subarray(end);
          if (isMessage(value)) say(value);
          else wire.toClient(value);
        }
      },
    };
  };
