import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { Agent } from 'undici';

const probeEveryMs = 200;
const hopByHop = ['connection', 'keep-alive', 'transfer-encoding', 'host'];

/**
 * A load balancer as an operator has one: it sends each request to an api whose `/health/ready` was 200 at the last probe, on
 * connections that it keeps, and repeats nothing. A request that an api does not answer loses its connection.
 */
export class Balancer {
  private readonly agent = new Agent();
  private readonly server: Server;
  private readonly targets: () => string[];
  private readonly ready = new Set<string>();
  private next = 0;
  private isOpen = true;

  private constructor(targets: () => string[]) {
    this.targets = targets;
    this.server = createServer((request, response) => {
      this.forward(request, response).catch(() => response.destroy());
    });
    void this.probe();
  }

  static async open(targets: () => string[]): Promise<Balancer> {
    const balancer = new Balancer(targets);
    balancer.server.listen(0, '127.0.0.1');
    await once(balancer.server, 'listening');
    return balancer;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  isReady(target: string): boolean {
    return this.ready.has(target);
  }

  async close(): Promise<void> {
    this.isOpen = false;
    this.server.closeAllConnections();
    this.server.close();
    await this.agent.destroy();
  }

  private async probe(): Promise<void> {
    while (this.isOpen) {
      const targets = this.targets();
      const answers = await Promise.all(
        targets.map((target) =>
          fetch(`${target}/health/ready`).then(
            ({ ok }) => ok,
            () => false,
          ),
        ),
      );
      this.ready.clear();
      for (const target of targets.filter((_, n) => answers[n])) this.ready.add(target);
      await pause(probeEveryMs);
    }
  }

  private async forward(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const ready = [...this.ready];
    const target = ready[this.next++ % ready.length];
    if (target === undefined) throw new Error('no api is ready');
    const headers = Object.fromEntries(Object.entries(request.headers).filter(([name]) => !hopByHop.includes(name)));
    const answer = await this.agent.request({
      origin: target,
      path: request.url!,
      method: request.method as 'GET',
      headers,
      body: request,
    });
    const kept = Object.entries(answer.headers).filter(([name]) => !hopByHop.includes(name));
    response.writeHead(answer.statusCode, Object.fromEntries(kept));
    for await (const chunk of answer.body) response.write(chunk);
    response.end();
  }
}
