import { once } from 'node:events';

/** Resolves when this process is asked to end: by Ctrl-C, or by what started it. */
export const toldToStop = (): Promise<unknown> => Promise.race([once(process, 'SIGTERM'), once(process, 'SIGINT')]);
