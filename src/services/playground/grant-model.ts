import { dryRunResolution } from '../../db/models/dry-run-resolution.ts';
import { testAccount } from '../../domain/playground.ts';
import { Refusal } from '../../errors.ts';
import type { ServiceContext } from '../context.ts';
import { getModelAlias, getModelGroup } from '../models/read-models.ts';
import { getTeamForCaller } from '../teams/read-teams.ts';
import { replaceModelGroups } from '../teams/replace-model-groups.ts';
import { updateTeam } from '../teams/update-team.ts';

const { teamId } = testAccount;

/** Two admins who try out different models at the same moment may take each other's away. */
const maxTries = 3;

/** Gives the test account the model group or the alias, if it cannot call it yet. An unknown name is 404. */
export async function grantModel(context: ServiceContext, name: string): Promise<void> {
  for (let tries = 1; tries <= maxTries; tries += 1) {
    const { refusal } = await dryRunResolution(context.deps.database, teamId, name);
    const groupOfAlias = refusal === null ? undefined : await findAccessGroup(context, name);
    if (refusal !== 'model_group_denied') return;
    const { model_groups, access_groups } = await getTeamForCaller(context, teamId);
    if (groupOfAlias === undefined) await replaceModelGroups(context, teamId, withName(model_groups, name));
    else await updateTeam(context, teamId, { access_groups: withName(access_groups, groupOfAlias) });
  }
}

/** Another run may have added it meanwhile. */
const withName = (names: readonly string[], name: string): string[] => [...new Set([...names, name])];

/** An access group with the alias; undefined for a model group, and for an alias that no team reaches. */
async function findAccessGroup(context: ServiceContext, name: string): Promise<string | undefined> {
  try {
    const { access_groups } = await getModelAlias(context, name);
    return access_groups.getItems().find(({ status }) => status === 'active')?.group_name;
  } catch (error) {
    if (!(error instanceof Refusal && error.code === 'model_alias_not_found')) throw error;
    await getModelGroup(context, name);
    return undefined;
  }
}
