import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageFolder } from '../package.ts';
import { pageOf } from './page.ts';
import type { Page } from './page.ts';

const read = (name: string): string => readFileSync(join(packageFolder, 'dist', 'dashboard', name), 'utf8');

let made: Page | undefined;

/** The dashboard (src/dashboard, as it was built), and the headers to send it with. */
export function dashboardPage(): Page {
  const body = '<noscript>The dashboard needs JavaScript.</noscript>';
  made ??= pageOf({ title: 'loyalty-sim', style: read('style.css'), script: read('main.js'), body });
  return made;
}
