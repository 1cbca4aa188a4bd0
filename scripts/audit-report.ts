interface Report {
  vulnerabilities?: Record<string, { severity?: string; range?: string }>;
}

const failing = ['high', 'critical'];

/** The report of `npm audit --json` as lines to print and an exit code: 0 none, 1 vulnerable packages, 75 inconclusive. */
export function readAudit(output: string): { exitCode: 0 | 1 | 75; lines: string[] } {
  const { vulnerabilities } = parse(output);
  if (!vulnerabilities)
    return { exitCode: 75, lines: ['the registry does not support this query, or is not reachable'] };
  const found = Object.entries(vulnerabilities).filter(([, { severity = '' }]) => failing.includes(severity));
  return {
    exitCode: found.length > 0 ? 1 : 0,
    lines: found.map(([name, { severity, range = '' }]) => `${severity}: ${name} ${range}`),
  };
}

function parse(output: string): Report {
  try {
    return (JSON.parse(output) ?? {}) as Report;
  } catch {
    return {};
  }
}
