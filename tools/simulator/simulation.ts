import type { Behaviour } from './behaviour/behaviour.ts';
import { BehaviourScripts } from './behaviour/scripts.ts';
import { Registry } from './management/registry.ts';
import { RequestLog } from './request-log.ts';

export type SimulatorOptions = {
  /** 0, the default: a free port. */
  port?: number;
  host?: string;
  /** The key that requests need. Absent: any bearer token, or none, is accepted. */
  masterKey?: string;
  /** The time before the first byte of every answer, unless the model name has another value. */
  latencyMs?: number;
  /** The time between the chunks of every stream, unless the model name has another value. */
  everyMs?: number;
  /** `none`: answers have no cost, like those of a provider, or of any OpenAI-compatible server except LiteLLM. */
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
