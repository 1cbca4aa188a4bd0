import { curlLine } from './curl.ts';

/** By this type a job is recognized as that of the line. */
export const firstJobType = 'first-steps';

interface FirstJob {
  /** The address of the route that makes a job with one call. */
  url: string;
  teamId: string;
  /** A key that is shown beside it; without one the line has a variable of the shell in its place. */
  key?: string;
  /** A model group that the team may use. */
  modelGroup: string;
}

/** A line for a shell that makes a job with one call. */
export const firstJobCurl = ({ url, teamId, key, modelGroup }: FirstJob): string =>
  curlLine({
    url,
    ...(key === undefined ? { keyName: 'VIRTUAL_KEY' as const } : { key }),
    body: {
      team_id: teamId,
      job_type: firstJobType,
      model: modelGroup,
      messages: [{ role: 'user', content: 'Hello' }],
    },
  });
