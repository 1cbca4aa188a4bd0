import type { MakeTap, Wire } from './link.ts';

/** `before` a statement reaches the server; `after` the server has carried it out, before its answer arrives. */
export type Moment = 'before' | 'after';

/** Pass it on, hold this connection still from here on, or answer with an error of this SQLSTATE instead of the server. */
export type Verdict = 'pass' | 'hold' | { sqlstate: string };

/** `statement` is the name of a prepared one (`settle_job`), and of any other its text. */
export type WatchStatements = (statement: string, moment: Moment) => Verdict;

const type = { parse: 'P', bind: 'B', query: 'Q', sync: 'S', ready: 'Z' };

const readyForQuery = Buffer.from([0x5a, 0, 0, 0, 5, 0x49]);

const kindOf = (message: Buffer) => String.fromCharCode(message[0]!);

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
class StatementTap {
  private readonly asked = new Messages();
  private readonly answered = new Messages();
  private readonly underWay: string[] = [];
  private question: Buffer[] = [];
  private answer: Buffer[] = [];
  private name = '';
  private started = false;
  private held = false;
  private readonly wire: Wire;
  private readonly watch: WatchStatements;

  constructor(wire: Wire, watch: WatchStatements) {
    this.wire = wire;
    this.watch = watch;
  }

  fromClient(bytes: Buffer): void {
    if (!this.started && !this.held) this.wire.toServer(bytes);
    else for (const message of this.asked.take(bytes)) this.hearClient(message);
  }

  fromServer(bytes: Buffer): void {
    for (const message of this.answered.take(bytes)) this.hearServer(message);
  }

  private hearClient(message: Buffer): void {
    if (this.held) return;
    const kind = kindOf(message);
    if (kind === type.parse) this.name = cString(message, 5) || cString(message, 6);
    if (kind === type.bind) this.name = cString(message, message.indexOf(0, 5) + 1) || this.name;
    if (kind === type.query) this.name = cString(message, 5);
    this.question.push(message);
    if (kind === type.query || kind === type.sync) this.askServer();
    // Not part of a statement: a farewell.
    else if (!'PBDECH'.includes(kind)) this.wire.toServer(Buffer.concat(this.question.splice(0)));
  }

  private askServer(): void {
    const [statement, bytes] = [this.name, Buffer.concat(this.question.splice(0))];
    this.name = '';
    const verdict = this.watch(statement, 'before');
    if (verdict === 'hold') this.held = true;
    else if (verdict === 'pass') {
      this.underWay.push(statement);
      this.wire.toServer(bytes);
    } else this.wire.toClient(Buffer.concat([errorMessage(verdict.sqlstate, 'an injected failure'), readyForQuery]));
  }

  private hearServer(message: Buffer): void {
    this.answer.push(message);
    const isReady = kindOf(message) === type.ready;
    const statement = isReady ? this.underWay.shift() : undefined;
    if (statement !== undefined && this.watch(statement, 'after') === 'hold') this.held = true;
    if (this.held) return;
    this.started ||= isReady;
    if (isReady || !this.started) this.wire.toClient(Buffer.concat(this.answer.splice(0)));
  }
}

export const watchStatements =
  (watch: WatchStatements): MakeTap =>
  (wire) =>
    new StatementTap(wire, watch);

/** Every new connection hears that there are too many, as from a server whose `max_connections` is reached. */
export const refuseConnections: MakeTap = (wire) => ({
  fromClient() {
    wire.toClient(errorMessage('53300', 'sorry, too many clients already'));
    wire.end();
  },
  fromServer() {},
});

function errorMessage(sqlstate: string, message: string): Buffer {
  const body = Buffer.from(`SERROR\0VERROR\0C${sqlstate}\0M${message}\0\0`);
  const head = Buffer.alloc(5);
  head.write('E');
  head.writeInt32BE(body.length + 4, 1);
  return Buffer.concat([head, body]);
}
