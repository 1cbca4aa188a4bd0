import { Link, type Wire } from '../../faults/support/link.ts';

/** What is prepared on each connection to PostgreSQL that passes here: only the connection itself could see it in `pg_prepared_statements`. */
export interface PreparedStatements {
  url: string;
  /** The highest number of a connection. */
  most(): number;
  close(): Promise<void>;
}

export async function countPrepared(databaseUrl: string): Promise<PreparedStatements> {
  const link = await Link.open(databaseUrl);
  const connections: Set<string>[] = [];
  link.tap = (wire: Wire) => {
    const names = new Set<string>();
    connections.push(names);
    let kept: Buffer = Buffer.alloc(0);
    let started = false;
    return {
      fromClient(bytes) {
        wire.toServer(bytes);
        kept = Buffer.concat([kept, bytes]);
        // The first message has no type.
        for (let size = messageSize(kept, started); size > 0; size = messageSize(kept, started)) {
          if (started) note(names, kept.subarray(0, size));
          started = true;
          kept = kept.subarray(size);
        }
      },
      fromServer: wire.toClient,
    };
  };
  const most = () => Math.max(0, ...connections.map(({ size }) => size));
  return { url: link.url, most, close: () => link.close() };
}

/** 0: not all of it is there. */
function messageSize(bytes: Buffer, typed: boolean): number {
  const head = typed ? 1 : 0;
  if (bytes.length < head + 4) return 0;
  const size = bytes.readInt32BE(head) + head;
  return bytes.length >= size ? size : 0;
}

const cString = (bytes: Buffer, from: number) => bytes.toString('utf8', from, bytes.indexOf(0, from));

/** Parse with a name prepares a statement for the life of the connection; Close of it ends it. */
function note(names: Set<string>, message: Buffer): void {
  const type = String.fromCharCode(message[0]!);
  if (type === 'P' && cString(message, 5)) names.add(cString(message, 5));
  if (type === 'C' && String.fromCharCode(message[5]!) === 'S') names.delete(cString(message, 6));
}
