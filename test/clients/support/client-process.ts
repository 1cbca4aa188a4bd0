import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import type { Json } from '../../support/send-request.ts';
import type { Client, Operation } from './clients.ts';

/** What an operation of a client is about: the fields that every driver reads. */
export interface Options {
  base_url: string;
  api_key: string;
  model: string;
  prompt: string;
  /** Of `followUp`: the second prompt of the conversation. */
  next: string;
  headers: Record<string, string>;
  /** Further fields of the request. */
  parameters: Record<string, unknown>;
  max_retries: number;
  timeout_seconds: number;
  /** Of `tools`: whether each answer is streamed. */
  streamed: boolean;
}

export interface ClientError {
  type: string;
  status: number | null;
  code: string | null;
  message: string;
}

export interface ClientProcess {
  /** The result of an operation. Rejects with what the client throws: `ClientFailure`. */
  run(operation: Operation, options: Options): Promise<Json>;
  close(): Promise<void>;
}

/** An error that the client threw. */
export class ClientFailure extends Error {
  readonly thrown: ClientError;

  constructor(thrown: ClientError) {
    super(`${thrown.type} ${thrown.status} ${thrown.code}: ${thrown.message}`);
    this.thrown = thrown;
  }
}

/** A client in a process of its own: it serves one operation a line, of which several may run. */
export async function startClient({ command, args }: Client): Promise<ClientProcess> {
  const child = spawn(command(), args, {
    stdio: ['pipe', 'pipe', process.env.TEST_LOG_LEVEL ? 'inherit' : 'ignore'],
    env: { PATH: process.env.PATH, HOME: process.env.HOME, PYTHONDONTWRITEBYTECODE: '1' },
  });
  const waiting = new Map<number, PromiseWithResolvers<Json>>();
  createInterface({ input: child.stdout! }).on('line', (line) => {
    const { id, result, error } = JSON.parse(line);
    const { resolve, reject } = waiting.get(id)!;
    waiting.delete(id);
    if (error) reject(new ClientFailure(error));
    else resolve(result);
  });
  const ended = once(child, 'exit').then(([code]) => {
    for (const { reject } of waiting.values()) reject(new Error(`the client ended with ${code}`));
    waiting.clear();
  });
  let requests = 0;
  return {
    run(operation, options) {
      requests += 1;
      const id = requests;
      const outcome = Promise.withResolvers<Json>();
      waiting.set(id, outcome);
      child.stdin!.write(`${JSON.stringify({ id, operation, options })}\n`);
      return outcome.promise;
    },
    async close() {
      child.stdin!.end();
      await ended;
    },
  };
}
