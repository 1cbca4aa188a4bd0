import { setTimeout as pause } from 'node:timers/promises';
import { Client, Connection } from '@temporalio/client';
import { workflowId } from '../../src/domain/ids.ts';
import { post } from '../drive/send.ts';
import type { Stage } from '../stage/stage.ts';

export interface HistoryEvents {
  /** Calls in a running job, one after another. */
  llmCall: number;
  /** The same, with a pause between answer and next call. Absent in the first runs. */
  llmCallAfterThought?: number;
  /** The same, 16 at once in one job. */
  llmCallAtOnce: number;
  /** Calls of the floor, one after another. */
  floorCall: number;
  /** From start to end of the job. */
  createAndCall: number;
}

const calls = 20;
const lanes = 16;
const pauseMs = 50;

/** The events that a call adds to the history of a running job, and the events of a whole create-and-call. */
export async function countHistoryEvents(temporalAddress: string, stage: Stage): Promise<HistoryEvents> {
  const { llmCall, floorCall, createAndCall } = stage;
  const connection = await Connection.connect({ address: temporalAddress });
  const { workflow } = new Client({ connection });
  /** The events of all runs of the workflow: after about a hundred calls a job continues in a new run. */
  const readEvents = async (id: string) => {
    let total = 0;
    let runId = (await workflow.getHandle(id).describe()).raw.workflowExecutionInfo?.firstRunId;
    while (runId) {
      const { events } = await workflow.getHandle(id, runId).fetchHistory();
      total += events?.length ?? 0;
      runId = events?.at(-1)?.workflowExecutionContinuedAsNewEventAttributes?.newExecutionRunId;
    }
    return total;
  };
  const addedBy = async (id: string, send: () => Promise<unknown>) => {
    const before = await readEvents(id);
    for (let made = 0; made < calls; made += 1) await send();
    return ((await readEvents(id)) - before) / calls;
  };
  try {
    const [shot] = await llmCall.prepare(1);
    const jobId = workflowId.job(shot!.path.split('/')[3]!);
    const call = () => post(llmCall.url, shot!);
    const [floorShot] = await floorCall.prepare(1);
    const floorId = floorShot!.path.split('/')[2]!;
    const [single] = await createAndCall.prepare(1);
    const { job_id } = JSON.parse(await post(createAndCall.url, single!)) as { job_id: string };
    return {
      llmCall: await addedBy(jobId, call),
      llmCallAfterThought: await addedBy(jobId, () => pause(pauseMs).then(call)),
      llmCallAtOnce: (await addedBy(jobId, () => Promise.all(Array.from({ length: lanes }, call)))) / lanes,
      floorCall: await addedBy(floorId, () => post(floorCall.url, floorShot!)),
      createAndCall: await readEvents(workflowId.job(job_id)),
    };
  } finally {
    await connection.close();
  }
}
