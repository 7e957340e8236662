// The schema of front matter: which fields a table has, and what they accept.

// Other spellings of a field, found in files from other generators.
const TWINS = ['file', 'path', 'size_in_byte', 'aspect-ratio', 'licence', 'source'];

/** Returns the fields of a table. If some fields have a description, the others are older spellings and left out. */
export const properties = ({ properties: all = {} }) => {
  const isKnown = ([key, inner]) => !inner.deprecated && (inner.description || !TWINS.includes(key)) && !/^the same as /.test(inner.description ?? '');
  const known = Object.entries(all).filter(isKnown);
  const described = known.filter(([, inner]) => inner.description);
  return described.length ? described : known;
};

/** Returns a part of a schema with its reference resolved. */
export const resolved = (schema, part) => ({ ...(part.$ref ? schema.$defs[part.$ref.split('/').at(-1)] : {}), ...part });

/** Returns the types that a part of a schema accepts. */
export const typesOf = (part) => [part.type ?? (part.anyOf ? 'string' : [])].flat();

const SINGLE = ['string', 'number', 'integer', 'array', 'boolean'];

/** Returns whether a part accepts only a table with known fields. */
export const isTable = (part) => typesOf(part).includes('object') && Boolean(part.properties) && !typesOf(part).some((type) => SINGLE.includes(type));
