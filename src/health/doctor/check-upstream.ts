import { listUsedModels } from '../../db/models/list-used-models.ts';
import { warningsOfModels } from '../../domain/missing-models.ts';
import { createUpstreamClient } from '../../upstream/client.ts';
import { askUpstream } from '../watch-upstream.ts';
import { type Check, checkedAs } from './checked.ts';

const timeoutMs = 5_000;

/** Whether it is reached, accepts the key, and has the models of every active group and alias. */
export const checkUpstream: Check = async ({ config, openDatabase }) => {
  const upstream = createUpstreamClient({ baseUrl: config.UPSTREAM_BASE_URL, timeoutMs });
  try {
    const { state, models, problem } = await askUpstream(upstream, config.UPSTREAM_MASTER_KEY);
    const text = problem && `${problem.problem}: ${problem.help}`;
    if (state === 'down') return checkedAs('', { problems: [text!] });
    if (text !== undefined) return checkedAs('', { warnings: [text] });
    const used = await openDatabase().then(listUsedModels, () => []);
    const warnings = warningsOfModels(used, models);
    return checkedAs(`${models?.length ?? 0} models, among them the ${used.length} of groups and aliases`, {
      warnings,
    });
  } finally {
    await upstream.close();
  }
};
