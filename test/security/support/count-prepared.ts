import { Link, type Wire } from '../../faults/support/link.ts';

/** Counts the prepared statements of each connection: `pg_prepared_statements` shows only those of the connection that reads it. */
export interface PreparedStatements {
  url: string;
  /** The highest number on a connection. */
  most(): number;
  close(): Promise<void>;
}

export async function countPrepared(databaseUrl: string): Promise<PreparedStatements> {
  const link = await Link.open(databaseUrl);
  const connections: Set<string>[] = [];
  link.tap = (wire: Wire) => {
    const names = new Set<string>();
    connections.push(names);
    let buffered: Buffer = Buffer.alloc(0);
    let started = false;
    return {
      fromClient(bytes) {
        wire.toServer(bytes);
        buffered = Buffer.concat([buffered, bytes]);
        // The first message has no type.
        for (let size = messageSize(buffered, started); size > 0; size = messageSize(buffered, started)) {
          if (started) update(names, buffered.subarray(0, size));
          started = true;
          buffered = buffered.subarray(size);
        }
      },
      fromServer: wire.toClient,
    };
  };
  const most = () => Math.max(0, ...connections.map(({ size }) => size));
  return { url: link.url, most, close: () => link.close() };
}

/** 0: the message is incomplete. */
function messageSize(bytes: Buffer, typed: boolean): number {
  const head = typed ? 1 : 0;
  if (bytes.length < head + 4) return 0;
  const size = bytes.readInt32BE(head) + head;
  return bytes.length >= size ? size : 0;
}

const cString = (bytes: Buffer, from: number) => bytes.toString('utf8', from, bytes.indexOf(0, from));

/** Parse with a name prepares a statement for the life of the connection. Close deletes it. */
function update(names: Set<string>, message: Buffer): void {
  const type = String.fromCharCode(message[0]!);
  if (type === 'P' && cString(message, 5)) names.add(cString(message, 5));
  if (type === 'C' && String.fromCharCode(message[5]!) === 'S') names.delete(cString(message, 6));
}
