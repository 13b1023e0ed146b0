import wretch from 'wretch';
import { retry } from 'wretch/middlewares';

export const byDefault = ({ method, url, headers, body }) =>
  wretch(url).middlewares([retry()]).headers(headers).fetch(method, '', body).text();
