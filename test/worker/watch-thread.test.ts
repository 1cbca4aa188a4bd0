import type { WorkflowCreator } from '../../src/worker/held-workflows.ts';
import { createThreadWatch } from '../../src/worker/watch-thread.ts';

type Workflow = Awaited<ReturnType<WorkflowCreator['createWorkflow']>>;
type Activation = Parameters<Workflow['activate']>[0];

const options = {} as Parameters<WorkflowCreator['createWorkflow']>[0];

/** A thread that answers activations when it is told to. */
function givenThread() {
  const answers: (() => void)[] = [];
  const workflow = {
    activate: () => new Promise((resolve) => answers.push(() => resolve({}))),
    getAndResetSinkCalls: async () => [],
    dispose: async () => undefined,
  } as unknown as Workflow;
  return { answers, creator: { createWorkflow: async () => workflow, destroy: async () => undefined } };
}

test('a workflow thread that leaves an activation unanswered for 30 s is not responsive until it answers', async () => {
  let now = 0;
  const watch = createThreadWatch(() => now);
  const { answers, creator } = givenThread();
  const workflow = await watch.watch(creator).createWorkflow(options);

  now = 100_000;
  expect(watch.isResponsive()).toBe(true);
  const activation = workflow.activate({} as Activation);
  now += 29_999;
  expect(watch.isResponsive()).toBe(true);
  now += 1;
  expect(watch.isResponsive()).toBe(false);
  answers[0]!();
  await activation;

  expect(watch.isResponsive()).toBe(true);
});
