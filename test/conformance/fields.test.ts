import { describe, expect, it } from 'vitest';
import { fieldAdditions, fieldTablesSent } from './divergences.ts';
import { declaredFields, hasType } from './matching.ts';
import { declaredField, placeOf } from './places.ts';
import { fieldTables } from './spec/fields.ts';

const tables = fieldTables.filter(({ table }) => !fieldTablesSent.includes(table));

describe('the simulator', () => {
  it.each(tables)('declares the fields of $table with their types', (table) => {
    const wrong = table.fields.filter((row) => {
      const field = declaredField(table, row);
      return !field || !hasType(field, row.type);
    });
    expect(wrong).toEqual([]);
  });

  it.each(tables)('declares no field that $table lacks', (table) => {
    const known = new Set(table.fields.map(({ name }) => name.split('.')[0]));
    const added = Object.keys(declaredFields(placeOf(table))).filter((name) => !known.has(name));
    const allowed = fieldAdditions.filter((name) => name.startsWith(`${table.table}.`));
    expect(added.map((name) => `${table.table}.${name}`)).toEqual(allowed);
  });

  it('accepts the match key types of the specification', () => {
    const { matchKeyType } = declaredFields({ endpoint: 'receipts.create', of: 'body', at: 'contact' });
    const row = fieldTables.find(({ table }) => table === 'ReceiptContact')?.fields.find(({ type }) => type === 'enum');
    expect(matchKeyType?.enum).toEqual(row?.note?.replace('.', '').split(', '));
  });
});
