import { createHash } from 'node:crypto';
import { defineSearchAttributeKey, SearchAttributeType } from '@temporalio/common';
import { utf8Length } from '../../domain/metadata.ts';

const keyword = (name: string) => defineSearchAttributeKey(name, SearchAttributeType.KEYWORD);
/** What operators search workflows by. */
export const searchAttributes = {
  team: keyword('TeamId'),
  organization: keyword('OrganizationId'),
  jobType: keyword('JobType'),
  status: keyword('JobStatus'),
};

/** Limits of Temporal, in bytes. */
const longestFairnessKey = 64;
const longestSummary = 400;

/** Temporal dispatches the tasks of different keys in turn, so one team's burst does not delay another team. */
export const fairnessKey = (teamId: string): string =>
  utf8Length(teamId) <= longestFairnessKey ? teamId : createHash('sha256').update(teamId).digest('hex');

/** One line for the Temporal UI, cut between characters. The limit applies to its JSON, with the quotes. */
export function summary(text: string): string {
  let cut = text;
  while (utf8Length(JSON.stringify(cut)) > longestSummary) cut = [...cut].slice(0, -8).join('');
  return cut;
}
