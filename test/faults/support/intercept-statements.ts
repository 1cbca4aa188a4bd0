import type { MakeTap, Wire } from './link.ts';

/** `before`: before a statement reaches the server. `after`: after the server has executed it, before its answer arrives. */
export type Moment = 'before' | 'after';

/** `pass`: forward the statement. `hold`: forward nothing on this connection from then on. Or answer with an error of this SQLSTATE. */
export type Verdict = 'pass' | 'hold' | { sqlstate: string };

/** `statement` is the name of a prepared one (`settle_job`), and of any other its text. */
export type StatementInterceptor = (statement: string, moment: Moment) => Verdict;

const type = { parse: 'P', bind: 'B', query: 'Q', sync: 'S', ready: 'Z' };

const readyForQuery = Buffer.from([0x5a, 0, 0, 0, 5, 0x49]);

const kindOf = (message: Buffer) => String.fromCharCode(message[0]!);

const cString = (bytes: Buffer, from: number) => bytes.toString('utf8', from, bytes.indexOf(0, from));

/** Splits one direction of a PostgreSQL connection into messages: a type, a length, a body. */
class Messages {
  private buffered: Buffer[] = [];
  private size = 0;

  add(bytes: Buffer): Buffer[] {
    this.buffered.push(bytes);
    this.size += bytes.length;
    const messages: Buffer[] = [];
    for (let all = this.whole(); all; all = this.whole()) {
      const length = all.readInt32BE(1) + 1;
      messages.push(all.subarray(0, length));
      this.buffered = [all.subarray(length)];
      this.size -= length;
    }
    return messages;
  }

  /** The buffered bytes, if they hold at least one whole message. */
  private whole(): Buffer | undefined {
    if (this.size < 5) return undefined;
    if (this.buffered[0]!.length < 5) this.buffered = [Buffer.concat(this.buffered)];
    if (this.size < this.buffered[0]!.readInt32BE(1) + 1) return undefined;
    if (this.buffered.length > 1) this.buffered = [Buffer.concat(this.buffered)];
    return this.buffered[0];
  }
}

/**
 * Calls `intercept` with the name of each statement on a connection to PostgreSQL, from its Bind message, before and after it. The
 * messages of a statement are buffered until its Sync, and its answer until ReadyForQuery, when it is committed.
 */
class StatementTap {
  private readonly requests = new Messages();
  private readonly answers = new Messages();
  private readonly inFlight: string[] = [];
  private request: Buffer[] = [];
  private answer: Buffer[] = [];
  private name = '';
  private started = false;
  private held = false;
  private readonly wire: Wire;
  private readonly intercept: StatementInterceptor;

  constructor(wire: Wire, intercept: StatementInterceptor) {
    this.wire = wire;
    this.intercept = intercept;
  }

  fromClient(bytes: Buffer): void {
    if (!this.started && !this.held) this.wire.toServer(bytes);
    else for (const message of this.requests.add(bytes)) this.receiveFromClient(message);
  }

  fromServer(bytes: Buffer): void {
    for (const message of this.answers.add(bytes)) this.receiveFromServer(message);
  }

  private receiveFromClient(message: Buffer): void {
    if (this.held) return;
    const kind = kindOf(message);
    if (kind === type.parse) this.name = cString(message, 5) || cString(message, 6);
    if (kind === type.bind) this.name = cString(message, message.indexOf(0, 5) + 1) || this.name;
    if (kind === type.query) this.name = cString(message, 5);
    this.request.push(message);
    if (kind === type.query || kind === type.sync) this.sendToServer();
    // Not part of a statement: Terminate.
    else if (!'PBDECH'.includes(kind)) this.wire.toServer(Buffer.concat(this.request.splice(0)));
  }

  private sendToServer(): void {
    const [statement, bytes] = [this.name, Buffer.concat(this.request.splice(0))];
    this.name = '';
    const verdict = this.intercept(statement, 'before');
    if (verdict === 'hold') this.held = true;
    else if (verdict === 'pass') {
      this.inFlight.push(statement);
      this.wire.toServer(bytes);
    } else this.wire.toClient(Buffer.concat([errorMessage(verdict.sqlstate, 'an injected failure'), readyForQuery]));
  }

  private receiveFromServer(message: Buffer): void {
    this.answer.push(message);
    const isReady = kindOf(message) === type.ready;
    const statement = isReady ? this.inFlight.shift() : undefined;
    if (statement !== undefined && this.intercept(statement, 'after') === 'hold') this.held = true;
    if (this.held) return;
    this.started ||= isReady;
    if (isReady || !this.started) this.wire.toClient(Buffer.concat(this.answer.splice(0)));
  }
}

export const interceptStatements =
  (intercept: StatementInterceptor): MakeTap =>
  (wire) =>
    new StatementTap(wire, intercept);

/** Answers every new connection with "too many clients", like a server whose `max_connections` is reached. */
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
