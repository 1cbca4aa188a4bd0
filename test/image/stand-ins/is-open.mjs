#!/usr/bin/env node
// Stands in for `nc -z` and `pg_isready`: whether a port takes a connection.
import { connect } from 'node:net';

const port = process.argv[1].endsWith('pg_isready') ? 5432 : Number(process.argv.at(-1));
connect(port, '127.0.0.1')
  .on('connect', () => process.exit(0))
  .on('error', () => process.exit(1));
