import type { Launch } from '../../processes/start-process.ts';

/** A Redis server that can be started, from whichever source. */
export type RedisProgram = {
  from: string;
  /** `secrets`: a file of settings that only this user can read. */
  run: (port: number, settings: string[], secrets: string) => Pick<Launch, 'command' | 'args' | 'env' | 'prepare'>;
};
