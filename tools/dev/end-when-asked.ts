import type { Run } from './run.ts';

/** Ctrl-C, SIGTERM, a closed terminal, or npm killed outright: each ends everything, in order, and once. */
export function endWhenAsked(run: Run): void {
  let endingSince: number | undefined;
  const end = async (why: string) => {
    if (endingSince !== undefined) {
      // Ctrl-C comes twice: from the terminal, and passed on by npm.
      if (performance.now() - endingSince > 1_000) run.say('Still ending …');
      return;
    }
    endingSince = performance.now();
    run.say(`${why}: ending everything that was started here …`);
    await run.end();
    run.say('All ended.');
    process.exit(0);
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => void end(signal));
  // The reader of our output may go away before we do.
  process.stdout.on('error', () => undefined);
  process.stderr.on('error', () => undefined);
  if (process.env.npm_lifecycle_event) endWithParent(() => void end('npm is gone'));
}

function endWithParent(end: () => void): void {
  const parent = process.ppid;
  const timer = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(timer);
    end();
  }, 1_000);
}
