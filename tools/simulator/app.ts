import express, { type ErrorRequestHandler, type Express } from 'express';
import { completeChat } from './chat/complete-chat.ts';
import { controlRoutes } from './control-routes.ts';
import { createEmbeddings } from './embeddings/create-embeddings.ts';
import { DetailError, SimulatorError } from './errors.ts';
import type { Exchange } from './exchange.ts';
import { requireAnyKey, requireMasterKey } from './management/authorize.ts';
import { deleteKeys, generateKey, keyInfo, setKeyBlocked, updateKey } from './management/manage-keys.ts';
import { deleteTeams, newTeam, setTeamBlocked, teamInfo, updateTeam } from './management/manage-teams.ts';
import { listModels, modelInfo } from './models.ts';
import { sendError, serve } from './serve.ts';
import type { Simulation } from './simulation.ts';

type Handler = (exchange: Exchange) => unknown;

export function createApp(simulation: Simulation): Express {
  const withKey = (handle: Handler) => serve(simulation, after(requireAnyKey, handle));
  const withMasterKey = (handle: Handler) => serve(simulation, after(requireMasterKey, handle));
  const app = express();
  app.disable('x-powered-by').disable('etag');
  app.use(express.json({ limit: '64mb', strict: false }));
  app.use('/simulator', controlRoutes(simulation));

  app.post(['/chat/completions', '/v1/chat/completions'], withKey(completeChat));
  app.post(['/embeddings', '/v1/embeddings'], withKey(createEmbeddings));
  app.get(['/models', '/v1/models'], withKey(listModels));
  app.get(['/model/info', '/v1/model/info'], withMasterKey(modelInfo));
  app.get(['/health/liveliness', '/health/liveness'], (_, response) => {
    response.json("I'm alive!");
  });

  app.post('/team/new', withMasterKey(newTeam));
  app.post('/team/update', withMasterKey(updateTeam));
  app.post('/team/delete', withMasterKey(deleteTeams));
  app.post('/team/block', withMasterKey(setTeamBlocked(true)));
  app.post('/team/unblock', withMasterKey(setTeamBlocked(false)));
  app.get('/team/info', withMasterKey(teamInfo));
  app.post('/key/generate', withMasterKey(generateKey));
  app.post('/key/update', withMasterKey(updateKey));
  app.post('/key/delete', withMasterKey(deleteKeys));
  app.post('/key/block', withMasterKey(setKeyBlocked(true)));
  app.post('/key/unblock', withMasterKey(setKeyBlocked(false)));
  app.get('/key/info', withKey(keyInfo));

  app.use(serve(simulation, notFound), answerBadBody);
  return app;
}

const after =
  (check: Handler, handle: Handler): Handler =>
  (exchange) => {
    check(exchange);
    return handle(exchange);
  };

const notFound: Handler = () => {
  throw new DetailError(404, 'Not Found');
};

/** A chat with invalid JSON gets an error in LiteLLM's form, a management request one in FastAPI's. */
const answerBadBody: ErrorRequestHandler = (error, request, response, _next) => {
  sendError(
    response,
    request.path.endsWith('/chat/completions')
      ? new SimulatorError(400, `Invalid JSON payload: ${error.message}`, {
          type: 'invalid_request_error',
          param: 'request_body',
        })
      : new DetailError(422, [{ type: 'json_invalid', loc: ['body', 1], msg: 'JSON decode error' }]),
  );
};
