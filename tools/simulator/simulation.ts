import type { Behaviour } from './behaviour.ts';
import { BehaviourScripts } from './behaviour-scripts.ts';
import { Registry } from './registry.ts';
import { RequestLog } from './request-log.ts';

export type SimulatorOptions = {
  /** 0, the default: a free port. */
  port?: number;
  host?: string;
  /** Absent: any bearer token, or none, is taken. */
  masterKey?: string;
  /** Before the first byte of every answer whose model name says nothing else. */
  latencyMs?: number;
  /** Between the chunks of every stream whose model name says nothing else. */
  everyMs?: number;
  /** `none`: like a provider, or any OpenAI-compatible server but LiteLLM, does not tell what an answer cost. */
  cost?: Behaviour['cost'];
};

/** The state of one simulator. */
export type Simulation = {
  masterKey: string | undefined;
  log: RequestLog;
  scripts: BehaviourScripts;
  registry: Registry;
};

export const createSimulation = ({
  masterKey,
  latencyMs = 0,
  everyMs = 0,
  cost = 'usual',
}: SimulatorOptions): Simulation => ({
  masterKey,
  log: new RequestLog(),
  scripts: new BehaviourScripts({ latencyMs, everyMs, cost }),
  registry: new Registry(),
});
