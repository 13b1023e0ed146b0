/** A page of our own: its script and its style stand in it, and nothing else may run or style it. */
import { createHash } from 'node:crypto';

interface PageParts {
  readonly title: string;
  readonly style: string;
  readonly script: string;
  /** As HTML. */
  readonly body: string;
}

export interface HtmlPage {
  readonly html: string;
  readonly headers: Readonly<Record<string, string>>;
}

const hashOf = (text: string): string => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

/** It may call nobody but us. */
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

export function renderPage(parts: PageParts): HtmlPage {
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
