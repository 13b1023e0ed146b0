import type { Endpoint } from '../core/endpoint.ts';
import type { Call } from '../core/faults.ts';
import { digest } from '../core/ids.ts';
import { operationKey } from '../core/operation-key.ts';
import type { Tenant } from '../core/tenant.ts';
import { endpoints } from '../resources/endpoints.ts';
import { namedContacts } from '../resources/named-contacts.ts';

const endpointById: ReadonlyMap<string, Endpoint> = new Map(endpoints.map((endpoint) => [endpoint.id, endpoint]));

/** A call that rules are asked about; what several of them want to know is worked out once, and only if one does. */
export class Asked {
  readonly call: Call;
  readonly tenant: Tenant;
  #body: { readonly value: unknown } | undefined;
  #contacts: ReadonlySet<string> | undefined;
  #operation: string | undefined;

  constructor(call: Call, tenant: Tenant) {
    this.call = call;
    this.tenant = tenant;
  }

  get body(): unknown {
    this.#body ??= { value: this.call.body };
    return this.#body.value;
  }

  /** Ids and keys of the contacts that it is about. */
  get contacts(): ReadonlySet<string> {
    const { params, query } = this.call;
    this.#contacts ??= namedContacts(this.tenant, {
      parameters: [...Object.entries(params), ...query],
      body: this.body,
    });
    return this.#contacts;
  }

  /** What tells its operation from others: a digest, as the key may be as long as a body. */
  get operation(): string {
    this.#operation ??= digestOf(operationKey(this.call.exchange, endpointById.get(this.call.endpoint ?? '')).text);
    return this.#operation;
  }
}

const digestOf = (text: string): string => `${digest(text).toString(36)}.${digest(text, 1).toString(36)}`;
