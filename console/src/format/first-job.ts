/** Within the single quotes of a shell. */
const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;

interface FirstJob {
  /** Of the service, with a slash at its end. */
  address: string;
  teamId: string;
  /** A key, or the variable of a shell that has it. */
  key: string;
  /** One that the team may use. */
  modelGroup: string;
}

/** A line for a shell that makes a job with one call. */
export function firstJob({ address, teamId, key, modelGroup }: FirstJob): string {
  const body = {
    team_id: teamId,
    job_type: 'first-steps',
    model: modelGroup,
    messages: [{ role: 'user', content: 'Hello' }],
  };
  return `curl ${quoted(`${address}api/jobs/create-and-call`)} \\
  -H "Authorization: Bearer ${key}" -H "Content-Type: application/json" \\
  -d ${quoted(JSON.stringify(body))}`;
}
