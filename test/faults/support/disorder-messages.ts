import type { Random } from '../../support/random.ts';
import type { MakeTap } from './link.ts';

const lineEnd = '\r\n';

/** The end of the RESP value that begins at `from`; undefined: it is incomplete. */
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
  duplicated: number;
  swapped: number;
}

/** Of ten messages that Redis publishes, one is dropped, one is duplicated and one is swapped with the next. */
export const disorderMessages =
  (random: Random, disorder: Disorder): MakeTap =>
  (wire) => {
    let buffered = Buffer.alloc(0);
    let late: Buffer | undefined;
    const forward = (message: Buffer) => {
      const choice = random.next();
      if (choice < 0.1) disorder.dropped += 1;
      else if (choice < 0.2) {
        disorder.duplicated += 1;
        wire.toClient(Buffer.concat([message, message]));
      } else if (choice < 0.3 && !late) {
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
        buffered = Buffer.concat([buffered, bytes]);
        for (
          let end = endOfValue(buffered, 0);
          end !== undefined && buffered.length > 0;
          end = endOfValue(buffered, 0)
        ) {
          const value = buffered.subarray(0, end);
          buffered = buffered.subarray(end);
          if (isMessage(value)) forward(value);
          else wire.toClient(value);
        }
      },
    };
  };
