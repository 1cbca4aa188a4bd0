interface Report {
  vulnerabilities?: Record<string, { severity?: string; range?: string }>;
}

const grave = ['high', 'critical'];

/** What `npm audit --json` reports, as lines to show and an exit code: 0 none, 1 vulnerable packages, 75 no answer. */
export function readAudit(output: string): { exitCode: 0 | 1 | 75; lines: string[] } {
  const { vulnerabilities } = parse(output);
  if (!vulnerabilities) return { exitCode: 75, lines: ['the registry does not answer this, or is not reachable'] };
  const found = Object.entries(vulnerabilities).filter(([, { severity = '' }]) => grave.includes(severity));
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
