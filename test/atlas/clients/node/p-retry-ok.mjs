import pRetry from 'p-retry';

export const byDefault = ({ method, url, headers, body }) =>
  pRetry(
    async () => {
      const response = await fetch(url, { method, headers, body });
      if (!response.ok) throw new Error(response.statusText);
      return response.text();
    },
    { retries: 5 },
  );
