import express, { type ErrorRequestHandler, type Express } from 'express';
import { requireAnyKey } from './authorize.ts';
import { completeChat } from './complete-chat.ts';
import { controlSimulator } from './control-simulator.ts';
import { type Exchange, sendError, serve } from './exchange.ts';
import { listModels } from './list-models.ts';
import type { Simulation } from './simulation.ts';
import { UpstreamError } from './upstream-error.ts';

export function createApp(simulation: Simulation): Express {
  const app = express();
  app.disable('x-powered-by').disable('etag');
  app.use(express.json({ limit: '64mb', strict: false }));
  app.use('/simulator', controlSimulator(simulation));

  const withKey = (handle: (exchange: Exchange) => unknown) =>
    serve(simulation, (exchange) => {
      requireAnyKey(exchange);
      return handle(exchange);
    });
  app.post(['/chat/completions', '/v1/chat/completions'], withKey(completeChat));
  app.get(['/models', '/v1/models'], withKey(listModels));
  app.get(['/health/liveliness', '/health/liveness'], (_, response) => {
    response.json("I'm alive!");
  });
  app.use(
    serve(simulation, () => {
      throw new UpstreamError(404, 'Not Found');
    }),
  );
  app.use(answerBadBody);
  return app;
}

const answerBadBody: ErrorRequestHandler = (error, _request, response, _next) => {
  sendError(
    response,
    new UpstreamError(400, `Invalid JSON payload: ${error.message}`, {
      type: 'invalid_request_error',
      param: 'request_body',
    }),
  );
};
