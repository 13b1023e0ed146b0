/** Runs a till that is a function as a program: `node run.mjs tills/sale.mjs splitBill`. */
import { fetch } from '../../clients/quick-fetch.mjs';

const [file, name] = process.argv.slice(2);
const module = await import(new URL(file, import.meta.url));
await module[name](fetch, process.env.LOYALTY_SIM_URL, process.env.LOYALTY_SIM_API_KEY);
