import { createTeam } from './create-team.ts';
import { eraseUser } from './erase-user.ts';
import { getTeam } from './get-team.ts';
import { listModels } from './list-models.ts';
import { listTeams } from './list-teams.ts';
import { replaceModelGroups } from './replace-model-groups.ts';
import { resumeTeam } from './resume-team.ts';
import { revealKey } from './reveal-key.ts';
import { rotateKey } from './rotate-key.ts';
import { suspendTeam } from './suspend-team.ts';
import { updateTeam } from './update-team.ts';
import { endTeamView, openTeamView } from './view-team.ts';

export const teamRoutes = [
  createTeam,
  listTeams,
  getTeam,
  listModels,
  updateTeam,
  replaceModelGroups,
  suspendTeam,
  resumeTeam,
  rotateKey,
  revealKey,
  openTeamView,
  endTeamView,
  eraseUser,
];
