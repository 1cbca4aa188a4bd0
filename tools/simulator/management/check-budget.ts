import { SimulatorError } from '../errors.ts';

/** LiteLLM puts a dictionary into some messages as Python prints it, and clients may display such a message. */
export const pythonDict = (key: string, value: string): string =>
  value.includes("'") ? `{'${key}': "${value}"}` : `{'${key}': '${value}'}`;

/** The form of most of LiteLLM's management errors: the printed detail of an HTTPException. */
export const managementError = (status: number, message: string): SimulatorError =>
  new SimulatorError(status, pythonDict('error', message), { type: 'internal_server_error' });

type Budget = { max_budget?: number | null; soft_budget?: number | null; budget_duration?: string | null };

export function checkBudget({ max_budget, soft_budget, budget_duration }: Budget): void {
  if (max_budget != null && max_budget < 0) {
    throw managementError(400, `max_budget must be a non-negative finite number. Received: ${max_budget}`);
  }
  if (soft_budget != null && soft_budget < 0) {
    throw managementError(400, `soft_budget must be a non-negative finite number. Received: ${soft_budget}`);
  }
  if (budget_duration != null && !/^[1-9]\d*(?:s|m|h|d|w|mo)$/.test(budget_duration)) {
    throw managementError(
      400,
      `Invalid budget_duration '${budget_duration}'. Use a format like '1h', '24h', '7d', or '30d'.`,
    );
  }
  if (soft_budget != null && max_budget != null && soft_budget >= max_budget) {
    throw managementError(400, `soft_budget (${soft_budget}) must be strictly lower than max_budget (${max_budget})`);
  }
}

/** Tags need an enterprise licence, which neither the simulator nor a plain LiteLLM proxy has. */
export function refuseTags(tags: unknown[] | null | undefined): void {
  if (tags?.length) {
    throw managementError(403, 'This feature is only available for LiteLLM Enterprise users. tags');
  }
}
