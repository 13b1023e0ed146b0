/** Names the people of the tests: ids of contacts in fixtures, and bodies of contacts that a test creates. */

export const astrid = '5a0e7c1e-0001-4000-8000-000000000001';
/** Names the second contact: Bo in the fixtures of the tests, Johan in the default one. */
export const bo = '5a0e7c1e-0001-4000-8000-000000000002';
/** Works at the retailer, and shares Astrid's e-mail address. */
export const astridOfStaff = '5a0e7c1e-0001-4000-8000-000000000003';
export const emil = '5a0e7c1e-0001-4000-8000-000000000004';
/** Is the id of no contact. */
export const nobody = '00000000-0000-4000-8000-000000000000';

export const astridPath = `/api/v3/contacts/${astrid}`;

export const ada = { firstName: 'Ada', lastName: 'Ek', email: 'Ada.Ek@example.com', mobilePhone: '+46 70-174 06 01' };
export const ella = { firstName: 'Ella', lastName: 'Ek', email: 'ella.ek@example.com', mobilePhone: '+46701740699' };
export const nils = { firstName: 'Nils', lastName: 'Ny', email: 'nils.ny@example.com', mobilePhone: '+46701740698' };
