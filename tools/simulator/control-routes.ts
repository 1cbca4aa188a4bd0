import { Router } from 'express';
import { z } from 'zod';
import { Behaviour } from './behaviour/behaviour.ts';
import { addScript } from './behaviour/scripts.ts';
import { SimulatorError } from './errors.ts';
import { sendError } from './serve.ts';
import type { Simulation } from './simulation.ts';

const Filter = z.object({
  model: z.string().optional(),
  user: z.string().optional(),
  path: z.string().optional(),
  key: z.string().optional(),
});

const ScriptRequest = z
  .strictObject({
    /** A script applies to the chats of a model, or to a path: `/team/new`. */
    model: z.string().optional(),
    path: z.string().startsWith('/').optional(),
    times: z.int().min(1).optional(),
    behaviour: Behaviour.partial().optional(),
    /** A model name of the grammar, instead of a behaviour. */
    as: z.string().optional(),
  })
  .refine(({ model, path }) => (model === undefined) !== (path === undefined), 'Give either model or path.')
  .refine(({ behaviour, as }) => (behaviour === undefined) !== (as === undefined), 'Give either behaviour or as.');

/** The routes with which tests control the simulator. They need no key, because the simulator listens on this machine only. */
export function controlRoutes({ log, scripts }: Simulation): Router {
  const router = Router();
  router.get('/requests', (request, response) => {
    response.json(log.list(Filter.parse(request.query)));
  });
  router.delete('/requests', (_, response) => {
    log.clear();
    response.json({ cleared: true });
  });
  router.get('/counts', (_, response) => {
    response.json(log.counts());
  });
  router.get('/scripts', (_, response) => {
    response.json(
      scripts.list().map(({ times, ...script }) => ({ ...script, times: Number.isFinite(times) ? times : null })),
    );
  });
  router.delete('/scripts', (_, response) => {
    scripts.clear();
    response.json({ cleared: true });
  });
  router.post('/scripts', (request, response) => {
    const parsed = ScriptRequest.safeParse(request.body);
    if (!parsed.success) return sendError(response, new SimulatorError(400, z.prettifyError(parsed.error)));
    const { model, path = '', behaviour, as: name, times } = parsed.data;
    const phases = addScript(scripts, model ?? path, name ?? behaviour ?? {}, times);
    if (phases === 0) return sendError(response, new SimulatorError(400, `Not a model name of the grammar: ${name}`));
    response.json({ added: phases });
  });
  return router;
}
