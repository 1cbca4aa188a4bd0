import { type Config, isLoopback } from '../../config.ts';
import { type Checked, checkedAs } from './checked.ts';

/** Settings that are valid each, and make no sense together. */
const contradictions: [isOne: (config: Config) => boolean, level: 'problems' | 'warnings', text: string][] = [
  [
    ({ UPSTREAM_TEAM_KEYS, UPSTREAM_MASTER_KEY }) => UPSTREAM_TEAM_KEYS === 'litellm' && UPSTREAM_MASTER_KEY === '',
    'problems',
    'UPSTREAM_MASTER_KEY is not set, without which no team can be registered at LiteLLM: set it, or UPSTREAM_TEAM_KEYS=off',
  ],
  [
    ({ MASTER_KEY, MASTER_KEY_PREVIOUS }) => MASTER_KEY === MASTER_KEY_PREVIOUS,
    'problems',
    'MASTER_KEY_PREVIOUS is MASTER_KEY: it has to be the key of before, or not set',
  ],
  [
    ({ MASTER_KEY_PREVIOUS }) => MASTER_KEY_PREVIOUS !== undefined,
    'warnings',
    'MASTER_KEY_PREVIOUS is set, and still valid: finish the exchange of the key (docs/operations.md)',
  ],
  [
    ({ UPSTREAM_TIMEOUT_SECONDS, UPSTREAM_MAX_SECONDS }) => UPSTREAM_TIMEOUT_SECONDS > UPSTREAM_MAX_SECONDS,
    'warnings',
    'UPSTREAM_TIMEOUT_SECONDS is above UPSTREAM_MAX_SECONDS, which ends an answer before',
  ],
  [
    ({ CALL_BODY_LIMIT, HELD_BYTES }) => CALL_BODY_LIMIT * 4 > HELD_BYTES,
    'warnings',
    'CALL_BODY_LIMIT is above a quarter of HELD_BYTES, which is all that one holder may have: longer bodies are 429',
  ],
  [
    ({ JOB_RETENTION_DAYS: jobs, PAYLOAD_RETENTION_DAYS }) => jobs !== undefined && jobs < PAYLOAD_RETENTION_DAYS,
    'warnings',
    'JOB_RETENTION_DAYS is below PAYLOAD_RETENTION_DAYS: requests and answers are deleted with their jobs',
  ],
  [
    ({ SETUP, HOST }) => SETUP === 'open' && !isLoopback(HOST),
    'warnings',
    'SETUP=open on an address that others reach: whoever comes first is the owner. Set SETUP=master-key',
  ],
];

export function checkSettings(config: Config): Checked {
  const checked = checkedAs('complete, and without contradiction');
  for (const [isOne, level, text] of contradictions) if (isOne(config)) checked[level].push(text);
  return checked;
}
