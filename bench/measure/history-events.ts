import { Client, Connection } from '@temporalio/client';
import { workflowId } from '../../src/domain/ids.ts';
import { post } from '../drive/send.ts';
import type { Subject } from '../subject.ts';

export interface HistoryEvents {
  llmCall: number;
  createAndCall: number;
}

const calls = 20;

/** Events that a call adds to the history of a running job, and those of a whole create-and-call. */
export async function countHistoryEvents(
  temporalAddress: string,
  llmCall: Subject,
  createAndCall: Subject,
): Promise<HistoryEvents> {
  const connection = await Connection.connect({ address: temporalAddress });
  const { workflow } = new Client({ connection });
  const eventsOf = async (jobId: string) =>
    (await workflow.getHandle(workflowId.job(jobId)).fetchHistory()).events?.length ?? 0;
  try {
    const [shot] = await llmCall.prepare(1);
    const jobId = shot!.path.split('/')[3]!;
    const before = await eventsOf(jobId);
    for (let made = 0; made < calls; made += 1) await post(llmCall.url, shot!);
    const after = await eventsOf(jobId);
    const [single] = await createAndCall.prepare(1);
    const { job_id } = JSON.parse(await post(createAndCall.url, single!)) as { job_id: string };
    return { llmCall: (after - before) / calls, createAndCall: await eventsOf(job_id) };
  } finally {
    await connection.close();
  }
}
