import { UserId } from '../../contracts/jobs.ts';
import { Metadata } from './call-metadata.ts';

const noNul = (text: string) => !text.includes('\0');
const Stored = UserId.refine(noNul, { message: 'String must not contain NUL characters' });

/** Whom and what a job is for, as OpenAI names it. Never sent to the model. `spec 17.3` */
export const userFields = {
  user: Stored.nullish().describe('The user of the job that is made for the call. At most 255 characters'),
  safety_identifier: Stored.nullish().describe('The same, if there is no `user`'),
  metadata: Metadata.nullish(),
};
