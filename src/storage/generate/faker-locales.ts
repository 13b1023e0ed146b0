/** Loads the locales of faker that fixtures are generated in: the package ships these, and none of the other seventy. */
export { faker as da } from '@faker-js/faker/locale/da';
export { faker as fi } from '@faker-js/faker/locale/fi';
export { faker as nb } from '@faker-js/faker/locale/nb_NO';
export { faker as sv } from '@faker-js/faker/locale/sv';
