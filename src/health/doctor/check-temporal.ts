import { noFindings } from '../../domain/findings.ts';
import { readNamespace, readServerVersion, readStartDelays } from '../../temporal/connection/read-server.ts';
import { type Check, checkedAs } from './checked.ts';

const timeoutMs = 5_000;
const [oldest, newest] = [
  [1, 29],
  [1, 32],
];
const daySeconds = 86_400;
/** A restore of PostgreSQL is compared with what Temporal still has: `npm run reconcile`. */
const shortestRetentionDays = 3;
/** An eager activity has started with its workflow task, within 0.1 ms. Any other waits for a poll, on a quick machine for 5 ms. */
const eagerWithinMs = 1;

const isBefore = (version: string, [major = 0, minor = 0]: readonly number[]): boolean => {
  const [ofServer = 0, minorOfServer = 0] = version.split('.').map(Number);
  return ofServer < major || (ofServer === major && minorOfServer < minor);
};

/** The version of the server, the namespace with its retention, and the search attributes. */
export const checkTemporal: Check = async ({ config, temporal }) => {
  const found = noFindings();
  const { problem } = await temporal.prepare(timeoutMs, { mayMake: false });
  if (problem !== undefined) return checkedAs('', { problems: [problem] });
  const version = await readServerVersion(temporal);
  if (isBefore(version, oldest!)) found.problems.push(`version ${version} is too old: 1.29 or newer is needed`);
  const { retentionSeconds } = await readNamespace(temporal);
  const days = Math.floor(retentionSeconds / daySeconds);
  if (days < shortestRetentionDays)
    found.warnings.push(
      `the namespace keeps what has ended for less than ${shortestRetentionDays} days: temporal operator namespace update --address ${config.TEMPORAL_ADDRESS} --namespace ${config.TEMPORAL_NAMESPACE} --retention 7d`,
    );
  return checkedAs(
    `server ${version}, namespace ${config.TEMPORAL_NAMESPACE} keeps ${days} days, search attributes`,
    found,
  );
};

/**
 * No request returns the dynamic configuration. What it makes of a call can be seen in the history of the last job: whether the worker got
 * the activity with the workflow task.
 */
export const checkDynamicConfig: Check = async ({ temporal }) => {
  const help = 'use deploy/temporal-dynamic-config.yaml (docs/temporal.md)';
  const delays = await readStartDelays(temporal);
  if (delays.length > 0) {
    const fastest = Math.min(...delays);
    if (fastest <= eagerWithinMs) return checkedAs('calls of the last jobs began with their workflow task');
    return checkedAs('', {
      warnings: [
        `calls of the last jobs waited for ${fastest.toFixed(1)} ms: system.enableActivityEagerExecution is off: ${help}`,
      ],
    });
  }
  const isKnown = !isBefore(await readServerVersion(temporal), newest!);
  return isKnown
    ? checkedAs('no job has ended yet by which it could be seen')
    : checkedAs('', {
        warnings: [`a server before 1.32 lacks what makes a call quick, and no job shows it yet: ${help}`],
      });
};
