import { Connection } from '@temporalio/client';
import { NativeConnection } from '@temporalio/worker';

const [kind, n] = [process.argv[2], 3000];
const address = process.env.TEMPORAL_ADDRESS;
const c =
  kind === 'native'
    ? await NativeConnection.connect({ address, grpcCompression: { codec: 'none' } })
    : await Connection.connect({ address });
const sig = (i) =>
  c.workflowService
    .signalWorkflowExecution({
      namespace: 'default',
      workflowExecution: { workflowId: 'none-x' },
      signalName: 'call',
      identity: 'x',
      requestId: String(i),
      input: { payloads: [{ metadata: { encoding: Buffer.from('json/plain') }, data: Buffer.alloc(200, 97) }] },
    })
    .catch(() => 0);
for (let i = 0; i < 300; i++) await sig(i);
const lanes = Number(process.argv[3] ?? 8);
const u0 = process.cpuUsage();
const t0 = performance.now();
let k = 0;
const lat = [];
await Promise.all(
  Array.from({ length: lanes }, async () => {
    while (k < n) {
      k++;
      const t = performance.now();
      await sig(k);
      lat.push(performance.now() - t);
    }
  }),
);
const u = process.cpuUsage(u0);
lat.sort((a, b) => a - b);
console.log(
  kind,
  'lanes',
  lanes,
  'cpu ms/call',
  ((u.user + u.system) / 1000 / n).toFixed(3),
  'p50',
  lat[n >> 1].toFixed(2),
  'p99',
  lat[(n * 0.99) | 0].toFixed(2),
  'total s',
  ((performance.now() - t0) / 1000).toFixed(1),
);
process.exit();
