export declare const purchase: (i: number, email?: string) => object;
