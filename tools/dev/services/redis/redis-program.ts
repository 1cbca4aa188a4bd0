import type { Launch } from '../../processes/start-process.ts';

/** A Redis server that can be started, from whichever source. */
export type RedisProgram = {
  from: string;
  /** How to run it so that it reads further settings, its password, from its standard input. */
  run: (port: number, settings: string[]) => Pick<Launch, 'command' | 'args' | 'env' | 'prepare'>;
};
