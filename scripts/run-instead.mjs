import { spawn } from 'node:child_process';

/** Becomes the program where Node.js can do that; otherwise stands in front of it and passes everything on. */
export function runInstead(command, args) {
  if (process.execve) {
    process.removeAllListeners('warning');
    process.execve(command, [command, ...args]);
  }
  const child = spawn(command, args, { stdio: 'inherit' });
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGQUIT', 'SIGUSR2'];
  for (const signal of signals) process.on(signal, () => child.kill(signal));
  endWithParent(child);
  child.once('error', (error) => {
    console.error(error.message);
    process.exit(1);
  });
  child.once('exit', (code, signal) => {
    if (code !== null) process.exit(code);
    for (const each of signals) process.removeAllListeners(each);
    process.kill(process.pid, signal);
  });
}

/** npm killed outright passes nothing on: without this the program would run on with nobody to end it. */
function endWithParent(child) {
  if (!process.env.npm_lifecycle_event) return;
  const parent = process.ppid;
  const timer = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(timer);
    child.kill('SIGTERM');
  }, 1_000);
  timer.unref();
}
