import { p } from '@mikro-orm/core';

const now = () => new Date();

export const createdAt = () => p.datetime(3).onCreate(now);
export const updatedAt = () => p.datetime(3).onCreate(now).onUpdate(now);
