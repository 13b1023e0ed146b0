/** Makes the control API's pages: script and style stand in the page, and its policy lets nothing else run. */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageFolder } from '../../package/package-info.ts';

interface PageParts {
  readonly title: string;
  readonly style: string;
  readonly script: string;
  readonly body: string;
}

export interface HtmlPage {
  readonly html: string;
  readonly headers: Readonly<Record<string, string>>;
}

const hashOf = (text: string): string => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

/** Lets the page call the simulator and nobody else. */
const policyOf = ({ style, script }: PageParts): string =>
  [
    "default-src 'none'",
    `script-src ${hashOf(script)}`,
    `style-src ${hashOf(style)}`,
    "connect-src 'self'",
    'img-src data:',
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ');

function renderPage(parts: PageParts): HtmlPage {
  const { title, style, script, body } = parts;
  const html = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<link rel="icon" href="data:,">
<style>${style}</style>
</head>
<body>
${body}
<script>${script}</script>
</body>
</html>
`;
  const headers = {
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': policyOf(parts),
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
  };
  return { html, headers };
}

/** Reads a file of the dashboard as it was built. */
const built = (name: string): string => readFileSync(join(packageFolder, 'dist', 'dashboard', name), 'utf8');

const docsBody = `<header>
<h1>loyalty-sim<small id="version"></small></h1>
<label><span class="hidden-label">Filter endpoints</span>
<input id="filter" type="search" placeholder="Filter: path, name, assumption   ( / )" autocomplete="off"></label>
<span id="count" role="status"></span>
<a href="/__admin/openapi.json">openapi.json</a>
</header>
<div class="columns">
<nav id="index" aria-label="Endpoints"></nav>
<main id="main"></main>
</div>`;

let dashboard: HtmlPage | undefined;
let docs: HtmlPage | undefined;

/** Returns the dashboard (src/dashboard) with the headers to send it with; throws when it is not built. */
export function dashboardPage(): HtmlPage {
  const body = '<noscript>The dashboard needs JavaScript.</noscript>';
  dashboard ??= renderPage({ title: 'loyalty-sim', style: built('main.css'), script: built('main.js'), body });
  return dashboard;
}

/** Returns the page of the endpoints (src/dashboard/docs), which shows what /__admin/openapi.json says. */
export function docsPage(): HtmlPage {
  const parts = { title: 'loyalty-sim: endpoints', body: docsBody };
  docs ??= renderPage({ ...parts, style: built('docs.css'), script: built('docs.js') });
  return docs;
}
