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

/** A limit of Temporal, in bytes. */
const maxFairnessKeyBytes = 64;

/** Temporal dispatches the tasks of different keys in turn, so one team's burst does not delay another team. */
export const fairnessKey = (teamId: string): string =>
  utf8Length(teamId) <= maxFairnessKeyBytes ? teamId : createHash('sha256').update(teamId).digest('hex');
