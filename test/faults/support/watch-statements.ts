import type { MakeTap, Wire } from './link.ts';

/** `before` a statement reaches the server; `after` the server has carried it out, before its answer arrives. */
export type Moment = 'before' | 'after';

/** Pass it on, hold this connection still from here on, or answer with an error of this SQLSTATE instead of the server. */
export type Verdict = 'pass' | 'hold' | { sqlstate: string };

/** `statement` is the name of a prepared one (`settle_job`), and of any other its text. */
export type WatchStatements = (statement: string, moment: Moment) => Verdict;

const type = { parse: 'P', bind: 'B', query: 'Q', sync: 'S', ready: 'Z' };

const cString = (bytes: Buffer, from: number) => bytes.toString('utf8', from, bytes.indexOf(0, from));

/** Cuts a direction of a PostgreSQL connection into its messages: a type, a length, a body. */
class Messages {
  private kept: Buffer[] = [];
  private size = 0;

  take(bytes: Buffer): Buffer[] {
    this.kept.push(bytes);
    this.size += bytes.length;
    const messages: Buffer[] = [];
    for (let all = this.whole(); all; all = this.whole()) {
      const length = all.readInt32BE(1) + 1;
      messages.push(all.subarray(0, length));
      this.kept = [all.subarray(length)];
      this.size -= length;
    }
    return messages;
  }

  /** What is kept, when it holds at least one whole message. */
  private whole(): Buffer | undefined {
    if (this.size < 5) return undefined;
    if (this.kept[0]!.length < 5) this.kept = [Buffer.concat(this.kept)];
    if (this.size < this.kept[0]!.readInt32BE(1) + 1) return undefined;
    if (this.kept.length > 1) this.kept = [Buffer.concat(this.kept)];
    return this.kept[0];
  }
}

/**
 * Tells of each statement on a connection to PostgreSQL, by the name in its Bind message, before and after. The messages
 * of a statement are held together until its Sync, and its answer until ReadyForQuery, when it is committed.
 */
export const watchStatements =
  (watch: WatchStatements): MakeTap =>
  (wire) => {
    const [asked, answered] = [new Messages(), new Messages()];
    const underWay: string[] = [];
    let [cycle, answer]: [Buffer[], Buffer[]] = [[], []];
    let name = '';
    let started = false;
    let held = false;

    const askServer = () => {
      const [statement, bytes] = [name, Buffer.concat(cycle)];
      [name, cycle] = ['', []];
      const verdict = watch(statement, 'before');
      if (verdict === 'hold') held = true;
      else if (verdict === 'pass') {
        underWay.push(statement);
        wire.toServer(bytes);
      } else refuse(wire, verdict.sqlstate);
    };
    const note = (message: Buffer) => {
      const kind = String.fromCharCode(message[0]!);
      if (kind === type.parse) name = cString(message, 5) || cString(message, 6);
      if (kind === type.bind) name = cString(message, message.indexOf(0, 5) + 1) || name;
      if (kind === type.query) name = cString(message, 5);
      cycle.push(message);
      if (kind === type.query || kind === type.sync) askServer();
      // Not part of a statement: a password, a farewell.
      else if (!'PBDECH'.includes(kind)) wire.toServer(Buffer.concat(cycle.splice(0)));
    };
    return {
      fromClient(bytes) {
        if (held) return;
        if (!started) wire.toServer(bytes);
        else for (const message of asked.take(bytes)) if (!held) note(message);
      },
      fromServer(bytes) {
        if (held) return;
        for (const message of answered.take(bytes)) {
          answer.push(message);
          const isReady = String.fromCharCode(message[0]!) === type.ready;
          const statement = isReady ? underWay.shift() : undefined;
          if (statement !== undefined && watch(statement, 'after') === 'hold') held = true;
          if (held) return;
          if (isReady) started = true;
          if (isReady || !started) wire.toClient(Buffer.concat(answer.splice(0)));
        }
      },
    };
  };

/** Every new connection hears that there are too many, as from a server whose `max_connections` is reached. */
export const refuseConnections: MakeTap = (wire) => ({
  fromClient() {
    wire.toClient(errorMessage('53300', 'sorry, too many clients already'));
    wire.end();
  },
  fromServer() {},
});

function refuse(wire: Wire, sqlstate: string): void {
  const readyForQuery = Buffer.from([0x5a, 0, 0, 0, 5, 0x49]);
  wire.toClient(Buffer.concat([errorMessage(sqlstate, 'an injected failure'), readyForQuery]));
}

function errorMessage(sqlstate: string, message: string): Buffer {
  const body = Buffer.from(`SERROR\0VERROR\0C${sqlstate}\0M${message}\0\0`);
  const head = Buffer.alloc(5);
  head.write('E');
  head.writeInt32BE(body.length + 4, 1);
  return Buffer.concat([head, body]);
}
