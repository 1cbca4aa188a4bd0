import { createHash } from 'node:crypto';
import { defineSearchAttributeKey, SearchAttributeType } from '@temporalio/common';
import { utf8Length } from '../../domain/metadata.ts';

const keyword = (name: string) => defineSearchAttributeKey(name, SearchAttributeType.KEYWORD);
/** What operators find a workflow by. */
export const searchAttributes = {
  team: keyword('TeamId'),
  organization: keyword('OrganizationId'),
  jobType: keyword('JobType'),
  status: keyword('JobStatus'),
};

/** Temporal's limits, in bytes. */
const longestFairnessKey = 64;
const longestSummary = 400;

/** What Temporal shares its workers out by: one team's burst does not hold up another team. */
export const fairnessKey = (teamId: string): string =>
  utf8Length(teamId) <= longestFairnessKey ? teamId : createHash('sha256').update(teamId).digest('hex');

/** One line for the Temporal UI. Cut between characters; the limit is that of its JSON, with quotes. */
export function summary(text: string): string {
  let cut = text;
  while (utf8Length(JSON.stringify(cut)) > longestSummary) cut = [...cut].slice(0, -8).join('');
  return cut;
}
