import { JobParams, MetadataUpdate, UpdatedMetadata } from '../../../contracts/jobs.ts';
import { updateMetadata as update } from '../../../services/jobs/update-metadata.ts';
import { route } from '../../route.ts';

export const updateMetadata = route(
  {
    operationId: 'updateJobMetadata',
    method: 'patch',
    path: '/api/jobs/{job_id}/metadata',
    summary: 'Merge metadata into a job',
    description: 'Shallow: top-level keys replace, `null` is a value. The merged object is limited to 10KB.',
    tag: 'Jobs',
    access: { audience: ['team'] },
    limits: { place: 'workflowCommands' },
    params: JobParams,
    body: { schema: MetadataUpdate.meta({ example: { metadata: { reviewed: true } } }) },
    response: UpdatedMetadata.meta({ example: { metadata: { cost_center: 'FIN-204', reviewed: true } } }),
    errors: ['job_of_another_team', 'job_not_found', 'job_finished'],
  },
  async (context) => {
    const { params, body } = context;
    const { updated_at, ...saved } = await update(context, params.job_id, body.metadata);
    return { ...saved, updated_at: updated_at.toISOString() };
  },
);
