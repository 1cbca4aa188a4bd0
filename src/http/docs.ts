import type { Express } from 'express';

export function serveDocs(_app: Express): void {}
