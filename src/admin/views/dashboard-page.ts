import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageFolder } from '../../storage/files/package-info.ts';
import { renderPage } from './html-page.ts';
import type { HtmlPage } from './html-page.ts';

const read = (name: string): string => readFileSync(join(packageFolder, 'dist', 'dashboard', name), 'utf8');

let made: HtmlPage | undefined;

/** The dashboard (src/dashboard, as it was built), and the headers to send it with. */
export function dashboardPage(): HtmlPage {
  const body = '<noscript>The dashboard needs JavaScript.</noscript>';
  made ??= renderPage({ title: 'loyalty-sim', style: read('style.css'), script: read('main.js'), body });
  return made;
}
