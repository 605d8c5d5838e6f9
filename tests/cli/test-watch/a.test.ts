import { test } from 'bun:test'; import './src/a'; test('a', () => {});
