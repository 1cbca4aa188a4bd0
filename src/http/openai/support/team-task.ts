import { deriveTaskId } from '../../../domain/task-id.ts';
import { invalid } from '../../../errors.ts';
import { teamOf } from '../../../services/caller.ts';
import type { RequestContext } from '../../route.ts';

/** `header:x-session-id` and `body:metadata.chat` as places of a request. A key of metadata may contain dots. */
function placeOf(source: string): string[] {
  const [part, name] = [source.slice(0, source.indexOf(':')), source.slice(source.indexOf(':') + 1)];
  const metadata = 'metadata.';
  return part === 'body' && name.startsWith(metadata) ? [part, 'metadata', name.slice(metadata.length)] : [part, name];
}

/** The task that a request names where the team's `job_key_from` looks for it. Throws for a value that is no task id. `spec 18.3` */
export function teamTaskOf({ caller, sentHeaders, body }: RequestContext): string | undefined {
  const derived = deriveTaskId(teamOf(caller).settings.job_key_from, {
    headers: sentHeaders,
    body: body as Record<string, unknown>,
  });
  if (!derived) return undefined;
  if ('taskId' in derived) return derived.taskId;
  throw invalid(placeOf(derived.invalid), 'String should have 1 to 255 visible ASCII characters', 'value_error');
}
