import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { Agent } from 'undici';
import { reasonOf } from '../../support/send-request.ts';

const probeEveryMs = 200;
const hopByHop = ['connection', 'keep-alive', 'transfer-encoding', 'host'];

/**
 * A load balancer as an operator has one: it sends each request to an api whose `/health/ready` was 200 at the last probe, on
 * connections that it keeps, and repeats nothing. A request that an api does not answer loses its connection, and is named in `lost`.
 */
export class Balancer implements AsyncDisposable {
  /** Requests without an answer, or without all of it: when, to which api, and why. */
  readonly lost: string[] = [];
  private readonly agent = new Agent();
  private readonly server: Server;
  private readonly targets: () => string[];
  private readonly ready = new Set<string>();
  private readonly probing: Promise<void>;
  private next = 0;
  private isOpen = true;

  private constructor(targets: () => string[]) {
    this.targets = targets;
    this.server = createServer((request, response) => void this.forward(request, response));
    // The client closes a connection that it does not use. If both did after the same time, its next request could be lost.
    this.server.keepAliveTimeout = 0;
    this.probing = this.probeAll();
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

  /** Resolves when nothing reads the targets any more. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.isOpen = false;
    this.server.closeAllConnections();
    this.server.close();
    await this.agent.destroy();
    await this.probing;
  }

  private async probeAll(): Promise<void> {
    while (this.isOpen) {
      const targets = this.targets();
      for (const target of this.ready) if (!targets.includes(target)) this.ready.delete(target);
      await Promise.all(targets.map((target) => this.probe(target)));
      await pause(probeEveryMs);
    }
  }

  private async probe(target: string): Promise<void> {
    const isReady = await fetch(`${target}/health/ready`).then(
      ({ ok }) => ok,
      () => false,
    );
    if (isReady) this.ready.add(target);
    else this.ready.delete(target);
  }

  private async forward(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const ready = [...this.ready];
    const target = ready[this.next++ % ready.length];
    try {
      if (target === undefined) throw new Error('no api is ready');
      await this.forwardTo(target, request, response);
    } catch (error) {
      if (this.isOpen) this.lost.push(`${new Date().toISOString()} ${request.url} to ${target}: ${reasonOf(error)}`);
      response.destroy();
    }
  }

  private async forwardTo(target: string, request: IncomingMessage, response: ServerResponse): Promise<void> {
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
