import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

export interface Target {
  host: string;
  port: number;
}

/** A balancer of connections in front of the frontends: each new one goes to the next that accepts it. */
export class TcpBalancer {
  private readonly targets: Target[];
  private readonly sockets = new Set<Socket>();
  private readonly server = createServer((client) => {
    this.keep(client);
    client.on('error', () => undefined);
    this.join(client, this.next++, this.targets.length);
  });
  private next = 0;

  private constructor(targets: Target[]) {
    this.targets = targets;
  }

  static async open(targets: Target[]): Promise<TcpBalancer> {
    const balancer = new TcpBalancer(targets);
    balancer.server.listen(0, '127.0.0.1');
    await once(balancer.server, 'listening');
    return balancer;
  }

  get address(): string {
    return `127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  async close(): Promise<void> {
    const closed = once(this.server, 'close');
    this.server.close();
    for (const socket of this.sockets) socket.destroy();
    await closed;
  }

  private join(client: Socket, index: number, left: number): void {
    const { host, port } = this.targets[index % this.targets.length]!;
    const server = connect(port, host);
    this.keep(server);
    // A client that closes meanwhile ends the attempt too.
    const refused = () => (left > 1 && !client.destroyed ? this.join(client, index + 1, left - 1) : client.destroy());
    server.once('error', refused);
    server.once('connect', () => {
      server.off('error', refused).on('error', () => client.destroy());
      server.once('close', () => client.destroy());
      client.once('close', () => server.destroy());
      client.pipe(server).pipe(client);
    });
  }

  private keep(socket: Socket): void {
    this.sockets.add(socket);
    socket.setNoDelay(true).once('close', () => this.sockets.delete(socket));
  }
}
