import { java } from './java.ts';
import { javascript } from './javascript.ts';
import { perl } from './perl.ts';
import { php } from './php.ts';
import { proxies } from './proxies.ts';
import { python } from './python.ts';
import { ruby } from './ruby.ts';
import { shell } from './shell.ts';

/** Lists the client programs of all languages, and those behind proxies, each with the verdict that it deserves. */
export const clientTable = [...javascript, ...shell, ...python, ...java, ...php, ...ruby, ...perl, ...proxies];
