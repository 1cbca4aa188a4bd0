import type { JobTimeline } from '../../../../api/types.ts';

export type Budget = NonNullable<JobTimeline['budget']>;
