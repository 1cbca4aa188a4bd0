import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { type GivenTeam, givenIn } from '../support/given.ts';
import { rawRequest } from '../support/raw.ts';
import { isFull, minutes, sized } from '../support/sizes.ts';
import { until } from '../support/until.ts';
import { figures, percentile } from './support/figures.ts';
import { installationForTests } from './support/installation.ts';
import { RetryingClient } from './support/retrying-client.ts';
import { repeat, somePrompt } from './support/workload.ts';

const readers = sized({ short: 30, full: 500 });
const bytesASecond = 100;
const halfHeaders = sized({ short: 50, full: 500 });
const bombs = sized({ short: 20, full: 200 });
/** The memory that all slow clients together may take. */
const mebibytesMore = sized({ short: 250, full: 500 });

/**
 * A body over the limit, one that unpacks to more than the limit, and one that is nested too deep. Created before anything is sent:
 * the proxies of the gateway run in this process, so that a busy event loop here is an outage for the gateway.
 */
const bombBodies = [
  new Uint8Array(12 * 1_048_576).fill(0x20),
  new Uint8Array(gzipSync(Buffer.alloc(50 * 1_048_576))),
  new TextEncoder().encode('['.repeat(500_000)),
];

const installation = installationForTests();
const given = givenIn(installation);

test(
  'slow readers, half headers and body bombs take a bounded amount of memory and do not delay other clients (spec 9.6)',
  async () => {
    const { apis, checker } = installation.current;
    const [team, slow] = [
      await given.team({ credits: 10_000, models: ['sim-echo'] }),
      await given.team({ credits: 10_000, models: ['sim-tokens-1000'] }),
    ];
    const client = new RetryingClient(installation.current, team);
    const sockets: Socket[] = [];
    await repeat(20, 4, () => client.createAndCall(somePrompt()));
    const before = { memory: apis[0]!.memory, p99: percentile(client.latencies, 0.99), calls: client.latencies.length };

    await Promise.all(Array.from({ length: readers }, async () => readSlowly(await open(streamRequest(slow)))));
    await Promise.all(
      Array.from({ length: halfHeaders }, () => open('POST /api/jobs/create HTTP/1.1\r\nHost: localhost\r\nX-Slow: ')),
    );
    const peak = watchMemory();
    // Their calls are ordinary work. The measurement begins when the streams have ended and only the slow reading remains.
    await until(streamsEnded, (ended) => ended === readers, 120_000);
    const [answers] = await Promise.all([
      repeat(bombs, 4, (turn) => sendBomb(turn)),
      repeat(sized({ short: 40, full: 400 }), 4, () => client.createAndCall(somePrompt())),
    ]);
    const moreMemory = peak.end() - before.memory;
    for (const socket of sockets) socket.destroy();

    expect(await checker.conclude()).toEqual([]);
    expect(answers.filter((status) => ![413, 415, 422].includes(status))).toEqual([]);
    expect(moreMemory / 1_048_576).toBeLessThan(mebibytesMore);
    const p99 = percentile(client.latencies.slice(before.calls), 0.99);
    if (isFull) expect(p99 - before.p99).toBeLessThan(1_000);
    figures('slow and hostile clients', {
      'readers at 100 B/s of streams of 1,000 tokens, half headers, body bombs': `${readers}, ${halfHeaders}, ${bombs}`,
      'memory of the api more than before': `${Math.round(moreMemory / 1_048_576)} MB`,
      'p99 of others before, meanwhile': `${Math.round(before.p99)}, ${Math.round(p99)} ms`,
    });

    async function streamsEnded(): Promise<number> {
      const sql = `select from jobs where team_id = $1 and status in ('completed', 'failed')`;
      return (await installation.current.pool.query(sql, [slow.teamId])).rowCount ?? 0;
    }

    async function open(bytes: string): Promise<Socket> {
      const { hostname, port } = new URL(apis[0]!.listening);
      const socket = connect(Number(port), hostname);
      sockets.push(socket);
      socket.on('error', () => undefined);
      await once(socket, 'connect');
      socket.write(bytes);
      return socket;
    }

    /** Reads `bytesASecond` from the socket. The rest stays in the network, and then in the buffers of the sender. */
    function readSlowly(socket: Socket): void {
      socket.pause();
      const timer = setInterval(() => socket.read(Math.min(bytesASecond, socket.readableLength)), 1_000);
      socket.once('close', () => clearInterval(timer));
    }

    function watchMemory() {
      let [highest, watching] = [apis[0]!.memory, true];
      void (async () => {
        for (; watching; await pause(200)) highest = Math.max(highest, apis[0]!.memory);
      })();
      return {
        end() {
          watching = false;
          return highest;
        },
      };
    }

    async function sendBomb(turn: number): Promise<number> {
      const headers = { 'content-type': 'application/json', authorization: `Bearer ${team.key}` };
      const packed: Record<string, string> = turn % 3 === 1 ? { 'content-encoding': 'gzip' } : {};
      const answer = await fetch(`${apis[0]!.listening}/api/jobs/create-and-call`, {
        method: 'POST',
        headers: { ...headers, ...packed },
        body: bombBodies[turn % 3]!,
      }).catch(() => ({ status: 413 }));
      return answer.status;
    }
  },
  minutes(2, 10),
);

function streamRequest(team: GivenTeam): string {
  const body = JSON.stringify({
    team_id: team.teamId,
    job_type: 'report',
    model: team.modelGroup,
    messages: [{ role: 'user', content: somePrompt() }],
  });
  const headers = {
    Authorization: `Bearer ${team.key}`,
    'Content-Type': 'application/json',
    'Content-Length': String(body.length),
  };
  return rawRequest('POST /api/jobs/create-and-call-stream', headers, body);
}
