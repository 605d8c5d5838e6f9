import { test } from 'bun:test'; test('d', () => { require('./src/a'); import('./src/c') });
