import { argumentsFor } from '../../tools/dev/programs.ts';
import { isFull } from './sizes.ts';

/**
 * The arguments of Node.js for a program that a test starts. In the short form V8 does not collect garbage because a process is idle:
 * after its start a process would collect several times, and most processes of tests wait. The full form has the flags of production.
 */
export const programArguments = (program: string, code?: string): string[] => [
  ...(isFull ? [] : ['--no-memory-reducer']),
  ...argumentsFor(program, code),
];
