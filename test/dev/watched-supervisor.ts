import { ProcessRecord } from '../../tools/dev/processes/process-record.ts';
import { startProcess } from '../../tools/dev/processes/start-process.ts';
import { startWatchdog } from '../../tools/dev/processes/start-watchdog.ts';

/** A small supervisor for a test to kill: starts a watchdog and one process, and prints the pid of that process. */
const [folder = ''] = process.argv.slice(2);
const record = new ProcessRecord(`${folder}/processes.json`);
startWatchdog(record.file, [`${folder}/run.json`]);
const launch = { name: 'worker', command: 'sleep', args: ['600'], ready: async () => true };
const { pid } = await startProcess(launch, `${folder}/worker.log`, record);
console.log(pid);
setInterval(() => undefined, 1_000);
