import type { Print } from '../../tools/dev/print.ts';
import { measureChanges } from './changes.ts';
import type { ConsolePlan } from './console-plan.ts';
import { setConsoleStage } from './console-stage.ts';
import { measureFirstLoads } from './first-loads.ts';
import { measureListPages } from './list-pages.ts';
import { measureOpenConsoles } from './open-consoles.ts';

export type MeasuredConsole = Awaited<ReturnType<typeof measureConsole>>;

/** Everything about the console, one measurement after the other. */
export async function measureConsole(plan: ConsolePlan, print: Print) {
  const stage = await setConsoleStage(plan, print);
  try {
    print('first loads');
    const loads = await measureFirstLoads(stage, plan.loads);
    print('pages of the list of jobs');
    const lists = await measureListPages(stage, plan.pagesOfFilter);
    print('changes');
    const changes = await measureChanges(stage, plan.changes);
    print(`calls with ${plan.consoles} open consoles`);
    const openConsoles = await measureOpenConsoles(stage, plan);
    return { loads, lists, changes, openConsoles };
  } finally {
    await stage.end();
  }
}
