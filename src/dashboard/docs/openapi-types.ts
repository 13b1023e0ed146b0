/** Declares the parts of the OpenAPI document that the page shows. */

export interface SchemaJson {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly format?: string;
  readonly description?: string;
  readonly default?: unknown;
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly anyOf?: readonly SchemaJson[];
  readonly oneOf?: readonly SchemaJson[];
  readonly items?: SchemaJson;
  readonly properties?: Readonly<Record<string, SchemaJson>>;
  readonly required?: readonly string[];
  readonly minimum?: number;
  readonly exclusiveMinimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
}

/** Describes the schemas of the document by name, which others refer to. */
export type NamedSchemas = Readonly<Record<string, SchemaJson>>;

export interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly required?: boolean;
  readonly description?: string;
  readonly schema: SchemaJson;
}

type Content = Readonly<Record<string, { readonly schema: SchemaJson }>>;

export interface ResponseSpec {
  readonly $ref?: string;
  readonly description: string;
  readonly content?: Content;
  readonly 'x-errors'?: unknown;
}

export interface RequestExample {
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  readonly status: number;
}

export interface OperationSpec {
  readonly operationId: string;
  readonly summary: string;
  readonly description?: string;
  readonly deprecated?: boolean;
  readonly tags: readonly string[];
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { readonly required?: boolean; readonly content: Content };
  readonly responses: Readonly<Record<string, ResponseSpec>>;
  readonly 'x-examples'?: readonly RequestExample[];
  readonly 'x-assumptions'?: readonly string[];
}

export interface AssumptionSpec {
  readonly id: string;
  readonly topic: string;
  readonly default: string;
  readonly variants: Readonly<Record<string, string>>;
  readonly note?: string;
}

export const methods = ['get', 'post', 'put', 'patch', 'delete'] as const;

export type Method = (typeof methods)[number];

export interface OpenApiSpec {
  readonly info: { readonly version: string };
  readonly tags: readonly { readonly name: string }[];
  readonly paths: Readonly<Record<string, { readonly [Name in Method]?: OperationSpec }>>;
  readonly components: {
    readonly schemas: NamedSchemas;
    readonly responses?: Readonly<Record<string, ResponseSpec>>;
  };
  readonly 'x-assumptions'?: readonly AssumptionSpec[];
}

/** Describes one operation with the place where it is served. */
export interface LocatedOperation {
  readonly method: Method;
  readonly path: string;
  readonly operation: OperationSpec;
}
