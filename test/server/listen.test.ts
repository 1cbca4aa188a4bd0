import { Agent, get } from 'node:http';
import express from 'express';
import { listen } from '../../src/server/listen.ts';
import { until } from '../support/until.ts';

const agent = new Agent({ keepAlive: true, maxSockets: 1 });
afterAll(() => agent.destroy());

const connectionOf = (url: string, headers = {}): Promise<string | undefined> =>
  new Promise((resolve, reject) => {
    get(url, { agent, headers }, (response) => {
      response.resume().once('end', () => resolve(response.headers.connection));
    }).once('error', reject);
  });

test.each([{}, { expect: '100-continue' }])(
  'an answer that is in flight when the server drains has Connection: close (%p)',
  async (headers) => {
    const app = express();
    const { promise: released, resolve: release } = Promise.withResolvers<void>();
    let isAsked = false;
    app.use((request, response, next) => {
      if (request.headers.expect) response.writeContinue();
      next();
    });
    app.get('/quick', (_request, response) => void response.send('at once'));
    app.get('/slow', async (_request, response) => {
      isAsked = true;
      await released;
      response.send('later');
    });
    const server = await listen(app, { host: '127.0.0.1', port: 0 });

    expect(await connectionOf(`${server.url}/quick`, headers)).toBe('keep-alive');
    const answered = connectionOf(`${server.url}/slow`, headers);
    await until(() => isAsked);
    const drained = server.drain(() => undefined, { lameDuckMs: 0, drainMs: 20_000 });
    release();

    expect(await answered).toBe('close');
    await drained;
  },
);
