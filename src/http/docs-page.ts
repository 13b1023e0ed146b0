import { createHash } from 'node:crypto';
import { script } from './docs-page-script.ts';
import { style } from './docs-page-style.ts';

const hashOf = (text: string): string => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

/** Nothing but what the page brings along may run or style it, and it may call nobody but us. */
const policy = [
  "default-src 'none'",
  `script-src ${hashOf(script)}`,
  `style-src ${hashOf(style)}`,
  "connect-src 'self'",
  'img-src data:',
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

const html = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>loyalty-sim: endpoints</title>
<link rel="icon" href="data:,">
<style>${style}</style>
</head>
<body>
<header>
<h1>loyalty-sim<small id="version"></small></h1>
<label><span class="hidden-label">Filter endpoints</span>
<input id="filter" type="search" placeholder="Filter: path, name, assumption   ( / )" autocomplete="off"></label>
<span id="count" role="status"></span>
<a href="/__admin/openapi.json">openapi.json</a>
</header>
<div class="columns">
<nav id="index" aria-label="Endpoints"></nav>
<main id="main"></main>
</div>
<script>${script}</script>
</body>
</html>
`;

/** A page to read the endpoints, made of what /__admin/openapi.json says, and the headers to send it with. */
export const docsPage = {
  html,
  headers: {
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': policy,
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
  },
} as const;
