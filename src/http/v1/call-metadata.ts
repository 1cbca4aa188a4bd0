import { z } from 'zod';
import { addIssues, asSent, newIssue } from '../../contracts/as-sent.ts';
import { CallerId, document, JsonObject, StoredObject, Uuid } from '../../contracts/fields.ts';
import { JobType } from '../../contracts/jobs.ts';
import { jsonProblem } from '../../domain/formats/json-problem.ts';
import { metadataFits } from '../../domain/metadata.ts';

/** The names that have a meaning here. */
const NamesInMetadata = z.looseObject({
  job_id: Uuid.nullish(),
  external_task_id: CallerId.nullish(),
  job_type: JobType.nullish(),
});
export type NamesInMetadata = z.output<typeof NamesInMetadata>;

/** The metadata of a call under `/v1`. `spec 17.4` */
export const Metadata = asSent(StoredObject).superRefine((metadata, context) => {
  const found = jsonProblem(metadata);
  if (found) context.issues.push(newIssue(found.type, found.msg, found.loc));
  else if (!metadataFits(metadata))
    context.issues.push(newIssue('value_error', 'Metadata is limited to 10KB per call'));
  else addIssues(context.issues, NamesInMetadata, metadata);
});
document(
  Metadata,
  JsonObject.describe(
    'Any JSON object of at most 10,240 bytes, kept with the call, and with a job that is made for it. `job_id`, ' +
      '`external_task_id` and `job_type` mean what the headers `X-Job-Id`, `X-External-Task-Id` and `X-Job-Type` mean',
  ),
);
