import { docsScript } from './docs-page-script.ts';
import { docsStyle } from './docs-page-style.ts';
import { renderPage } from './html-page.ts';

const body = `<header>
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

/** A page to read the endpoints, made of what /__admin/openapi.json says, and the headers to send it with. */
export const docsPage = renderPage({ title: 'loyalty-sim: endpoints', style: docsStyle, script: docsScript, body });
