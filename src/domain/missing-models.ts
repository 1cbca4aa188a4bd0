/** `openai/*` in the list of a LiteLLM stands for every name that begins so. */
const isListed = (listed: readonly string[], name: string): boolean =>
  listed.some((one) => one === name || (one.endsWith('*') && name.startsWith(one.slice(0, -1))));

/** What is doubtful about the names of models of a group or an alias, by the upstream's list. `spec 7.12` */
export const warningsOfModels = (names: readonly string[], listed: readonly string[] | undefined): string[] =>
  listed === undefined || listed.length === 0
    ? []
    : [...new Set(names)]
        .filter((name) => !isListed(listed, name))
        .map((name) => `The upstream does not list a model '${name}': calls of it fail until the upstream has it`);
