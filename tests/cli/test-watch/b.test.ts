import { test } from 'bun:test'; import './src/b'; test('b', () => {});
