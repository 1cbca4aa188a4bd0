import { consolePath } from '../../api/base.ts';

/** Shows the team in the own console. The page is loaded anew: nothing that was read as the team stays. */
export const leaveView = (teamId: string): void =>
  window.location.assign(`${consolePath}/teams/${encodeURIComponent(teamId)}`);
