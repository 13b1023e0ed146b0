import { optionFields } from '../../core/validation/option-definition.ts';
import type { OptionValues } from '../../core/validation/option-definition.ts';
import type { ScenarioSpec } from '../../scenario/scenario-schema.ts';
import { tenantOptions } from '../../service/settings/tenant-options.ts';
import { webhookOptions } from '../../webhooks/settings.ts';

/** Lists the fields of `POST /__admin/tenants` that say how a tenant is set up. */
export const tenantSetupFields = { ...optionFields(tenantOptions), ...optionFields(webhookOptions) };

/** Says how a tenant is set up where it differs from the sim. */
export type TenantSetup = OptionValues<typeof tenantOptions & typeof webhookOptions> & {
  readonly scenario?: ScenarioSpec;
};
