import { bringUpGateway } from './bring-up-gateway.ts';
import { bringUpServices } from './bring-up-services.ts';
import { bundleWorkflows } from './bundle-workflows.ts';
import { endWhenAsked } from './end-when-asked.ts';
import { Run } from './run.ts';
import { runSampleJob } from './sample-job.ts';
import { sayWhatIsAway } from './say-what-is-away.ts';

/** `npm start`: brings up what is not configured, migrates, starts the gateway, runs one job through it, and stays. */
async function start(): Promise<void> {
  const began = performance.now();
  const run = new Run();
  endWhenAsked(run);
  try {
    run.say('Starting what is not configured …');
    await run.endLeftovers();
    const [services, workflowBundle] = await Promise.all([bringUpServices(run), bundleWorkflows(run.folder)]);
    const gateway = await bringUpGateway(run, services, workflowBundle);
    run.publish({
      api: { pid: null, url: gateway.url },
      worker: { pid: null },
      postgres: { pid: null, url: services.databaseUrl },
      redis: { pid: null, url: services.redisUrl },
      temporal: { pid: null, address: services.temporal.address, ui_url: services.temporal.uiUrl ?? null },
      upstream: { pid: null, url: services.upstream.url },
    });
    run.say(`Ready after ${((performance.now() - began) / 1_000).toFixed(1)} s.`);
    await sayWhatIsAway(gateway.url, run.say);
    if (process.env.SAMPLE_JOB !== 'off') await runSampleJob(gateway, services.upstream.models, run.say);
    run.say(
      [
        '',
        `  API            ${gateway.url}`,
        `  Documentation  ${gateway.url}/docs`,
        `  Temporal UI    ${services.temporal.uiUrl ?? 'with the Temporal that TEMPORAL_ADDRESS names'}`,
        `  Data and logs  ${run.folder}`,
        `  MASTER_KEY     ${gateway.masterKeyFile ? `in ${gateway.masterKeyFile}` : 'the one that you have set'}`,
        '',
        'Ctrl-C ends everything that was started here.',
      ].join('\n'),
    );
  } catch (error) {
    // A start that is being ended fails because of that: whatever ends it prints the message.
    if (run.record.closed) return;
    console.error(`\n${(error as Error).message}`);
    await run.end();
    process.exit(1);
  }
}

start().catch((error: Error) => {
  console.error(error.message);
  process.exit(1);
});
