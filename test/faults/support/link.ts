import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** The two ends of one connection through a link. */
export interface Wire {
  toServer(bytes: Buffer): void;
  toClient(bytes: Buffer): void;
  /** Sends the client what is buffered, and then the end of the connection. */
  end(): void;
}

/** Receives the bytes of one connection and forwards them: unchanged, changed, later or not at all. */
export interface Tap {
  fromClient(bytes: Buffer): void;
  fromServer(bytes: Buffer): void;
}

export type MakeTap = (wire: Wire) => Tap;

const forwardAll: MakeTap = (wire) => ({ fromClient: wire.toServer, fromServer: wire.toClient });

/** At most this many bytes are buffered for a slow reader. */
const maxBufferedBytes = 262_144;

/**
 * A TCP proxy between two processes. Frozen, it keeps every connection open, accepts new ones and forwards nothing, like a stopped
 * server: the bytes arrive when it is thawed. Down, it refuses connections, like a server that does not run.
 */
export class Link {
  private readonly sockets = new Set<Socket>();
  private readonly server = createServer((client) => this.join(client));
  private frozen = false;
  private port = 0;
  private target: URL;
  private diversion: MakeTap | undefined;
  tap: MakeTap = forwardAll;

  private constructor(target: URL) {
    this.target = target;
  }

  static async open(target: string): Promise<Link> {
    const link = new Link(new URL(target));
    await link.up();
    return link;
  }

  /** The URL of the target with the address of this link. */
  get url(): string {
    const url = new URL(this.target);
    url.hostname = '127.0.0.1';
    url.port = String(this.port);
    return url.href.replace(/\/$/, '');
  }

  get address(): string {
    return `127.0.0.1:${this.port}`;
  }

  /** Later connections go there. */
  setTarget(target: string): void {
    this.target = new URL(target);
  }

  freeze(): void {
    this.frozen = true;
    for (const socket of this.sockets) socket.pause();
  }

  thaw(): void {
    this.frozen = false;
    for (const socket of this.sockets) socket.resume();
  }

  /** Later connections use this tap; undefined: the usual one. */
  divert(tap: MakeTap | undefined): void {
    this.diversion = tap;
  }

  cut(): void {
    for (const socket of this.sockets) socket.destroy();
  }

  async down(): Promise<void> {
    const closed = once(this.server, 'close');
    this.server.close();
    this.cut();
    await closed;
  }

  async up(): Promise<void> {
    this.server.listen(this.port, '127.0.0.1');
    await once(this.server, 'listening');
    this.port = (this.server.address() as AddressInfo).port;
  }

  async close(): Promise<void> {
    if (this.server.listening) await this.down();
  }

  private join(client: Socket): void {
    const server = connect(Number(this.target.port), this.target.hostname);
    const wire: Wire = {
      toServer: (bytes) => write(server, bytes),
      toClient: (bytes) => write(client, bytes),
      end: () => {
        client.end();
        server.destroy();
      },
    };
    const tap = (this.diversion ?? this.tap)(wire);
    this.forward(client, server, (bytes) => tap.fromClient(bytes));
    this.forward(server, client, (bytes) => tap.fromServer(bytes));
  }

  private forward(from: Socket, to: Socket, pass: (bytes: Buffer) => void): void {
    this.sockets.add(from);
    from.setNoDelay(true);
    from.on('data', (bytes) => {
      pass(bytes);
      if (to.writableLength > maxBufferedBytes) from.pause();
    });
    to.on('drain', () => {
      if (!this.frozen) from.resume();
    });
    from.on('error', () => to.destroy());
    from.on('end', () => to.end());
    from.on('close', () => {
      this.sockets.delete(from);
      to.destroySoon();
    });
    if (this.frozen) from.pause();
  }
}

function write(socket: Socket, bytes: Buffer): void {
  if (socket.writable) socket.write(bytes);
}
