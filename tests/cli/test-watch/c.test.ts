import { test } from 'bun:test'; import './src/c'; test('c', () => {});
