/** Patterns of paths from the project's folder, or of package names. */
export type ImportRule = { rule: string; files: RegExp; only?: RegExp[]; never?: RegExp[] };

/** `docs/architecture.md`, "Which way imports go": who may import whom, by value. A type costs nothing at run time and may come from anywhere. */
export const importRules: ImportRule[] = [
  {
    rule: 'the domain is pure: values in, values out, decimals the one thing that it does not write itself',
    files: /^src\/domain\//,
    only: [/^src\/domain\//, /^big\.js$/],
  },
  { rule: 'the table of refusals needs nothing', files: /^src\/errors\.ts$/, only: [] },
  {
    rule: 'workflows replay: nothing in them may touch the outside world',
    files: /^workflows\//,
    only: [/^workflows\//, /^src\/domain\//, /^@temporalio\/workflow$/],
  },
  {
    rule: 'every paid effect passes a workflow',
    files: /^src\/http\//,
    never: [/^activities\//, /^src\/upstream\//],
  },
  {
    rule: 'what goes over the wire is schemas',
    files: /^src\/contracts\//,
    only: [/^src\/contracts\//, /^src\/domain\//, /^zod$/],
  },
  {
    rule: 'the record knows nobody who reads or writes it',
    files: /^src\/db\//,
    never: [/^src\/(http|relay|registration|temporal|redis|upstream|webhooks|auth)\//, /^(workflows|activities)\//],
  },
  { rule: 'the relay knows nothing of HTTP', files: /^src\/relay\//, never: [/^src\/http\//] },
  ...['redis', 'upstream', 'webhooks', 'auth'].map((adapter) => ({
    rule: 'an adapter knows its own outside and no other',
    files: new RegExp(`^src/${adapter}/`),
    never: [new RegExp(`^src/(?!${adapter}/)(db|temporal|redis|upstream|webhooks|auth|http)/`)],
  })),
  {
    rule: 'the gateway does not know its simulated upstream, nor what starts it on a desk',
    files: /^(src\/(?!dev\/|simulator\/)|workflows\/|activities\/|migrations\/)/,
    never: [/^src\/(dev|simulator)\//, /^(test|scripts|bench)\//],
  },
  {
    rule: 'the simulated upstream is a program of its own',
    files: /^src\/simulator\//,
    never: [/^(workflows|activities|migrations|test|scripts|bench)\//, /^src\/(?!dev\/|simulator\/)/],
  },
  {
    rule: 'what starts it all is a program of its own, and reads the settings as the gateway does',
    files: /^src\/dev\//,
    never: [/^(workflows|activities|migrations|test|scripts|bench)\//, /^src\/(?!dev\/|simulator\/|config\.ts$)/],
  },
  { rule: 'what starts the programs runs none of them itself', files: /^src\/dev\//, never: [/^src\/simulator\//] },
];
