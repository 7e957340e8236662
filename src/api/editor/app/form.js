// A form generated from the JSON schema of front matter.

import { element, unfold } from './page.js';
import { repeatOf, timeOf, zones } from './when.js';
import { isFile, listOf, listsOf, offerTags, rowsOf, withFile } from './rows.js';

// Fields shown first. All other fields are under "More fields".
const FIRST = ['title', 'status', 'date_published', 'summary', 'tags', 'attachment', 'image', 'slug'];
const FIRST_OF = {
  event: ['summary', 'start', 'end', 'recurrence', 'location', 'status', 'visibility'],
  calendar: ['summary', 'timeZone', 'primary', 'public', 'description', 'location'],
};

// Fields that combine several inputs.
const TOGETHER = { start: timeOf, end: timeOf, originalStartTime: timeOf, recurrence: repeatOf };

// Fields that authors rarely edit: created by `new`, or set once.
const LAST = ['id', 'guid', 'date_created', 'allow'];

const NAMES = {
  attachment: 'Recording or main file',
  date_published: 'Date',
  guid: 'GUID',
  iCalUID: 'iCalUID',
  recurrence: 'Repeats',
  itunes: 'Apple Podcasts',
  podcast: 'Podcasting 2.0',
  seo: 'For search engines',
  slug: 'Address',
};

const nameOf = (key) => (typeof key === 'number' ? `${key + 1}` : nameOfText(key));

const nameOfText = (key) => NAMES[key] ?? `${key[0].toUpperCase()}${key.slice(1).replace(/(?<=[a-z])[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)}`.replaceAll('_', ' ');

// Fields that accept a list, but only ever have one value.
const ALONE = ['license'];

// Other spellings of a field, found in files from other generators.
const TWINS = ['file', 'path', 'size_in_byte', 'aspect-ratio', 'licence', 'source'];

const at = (values, keys) => keys.reduce((value, key) => value?.[key], values);

/**
 * Makes the form for the fields of a kind of file. `change(keys, value)` is called with each change, and null removes a
 * field. `media` handles the fields that name files, and `choices` has values used elsewhere in the site. Returns the
 * title's field, the form with all other fields, and a function that shows new values with their problems.
 */
export function formOf(schema, change, { kind, media, choices }) {
  const isDated = ['event', 'calendar'].includes(kind);
  const context = { schema, kind, change, media, choices: { ...choices, ...(isDated && { zones: zones() }) }, fields: [] };
  const first = FIRST_OF[kind] ?? FIRST;
  const rank = ([key]) => (first.includes(key) ? first.indexOf(key) : LAST.includes(key) ? 900 : 100);
  const all = properties(schema).sort((a, b) => rank(a) - rank(b));
  const made = all.map((entry) => [first.includes(entry[0]), fieldOf(context, [entry[0]], entry[1])]);
  const title = made.shift()?.[1] ?? element('div');
  const more = element('details', { class: 'more' }, element('summary', {}, 'More fields'));
  more.append(...made.filter(([isFirst]) => !isFirst).map(([, field]) => field));
  const form = element('form', { class: 'fields', 'aria-label': 'Fields' }, ...(choices ? listsOf(context.choices) : []));
  form.append(...made.filter(([isFirst]) => isFirst).map(([, field]) => field), more);
  form.addEventListener('submit', (event) => event.preventDefault());
  const show = (values, problems) => {
    for (const field of context.fields) {
      field.show(at(values, field.keys));
      const own = problems.filter((problem) => placeOf(context.fields, problem) === field);
      field.tell(own.map((problem) => [problem.message, problem.help].filter(Boolean).join(': ')).join(' '));
    }
  };
  return { title, form, show };
}

/**
 * Returns the field for a problem: the innermost field around its position. Without a position, the field that the
 * message names.
 */
const placeOf = (fields, { keys, message }) => {
  const isAround = (field) => field.keys.every((key, depth) => key === keys[depth]);
  if (keys) return fields.filter(isAround).toSorted((a, b) => a.keys.length - b.keys.length).at(-1);
  return fields.find((field) => message.includes(`\`${field.keys.at(-1)}\``));
};

/** Returns the fields of a table. If some fields have a description, the others are older spellings and left out. */
const properties = ({ properties: all = {} }) => {
  const known = Object.entries(all).filter(([key, inner]) => !inner.deprecated && (inner.description || !TWINS.includes(key)));
  const described = known.filter(([, inner]) => inner.description);
  return described.length ? described : known;
};

/** Returns a part of the schema with its reference resolved. */
const resolved = ({ schema }, part) => ({ ...(part.$ref ? schema.$defs[part.$ref.split('/').at(-1)] : {}), ...part });

const typesOf = (part) => [part.type ?? (part.anyOf ? 'string' : [])].flat();

/** Returns the element of a field or of a group of fields. */
function fieldOf(context, keys, unresolved) {
  const part = resolved(context, unresolved);
  const types = typesOf(part).filter((type) => type !== 'array' || !ALONE.includes(keys.at(-1)));
  const isTable = types.includes('object') && part.properties;
  if (context.kind === 'event' && keys.length === 1 && TOGETHER[keys[0]]) return TOGETHER[keys[0]](context, keys, nameOf(keys[0]), part);
  if (types.includes('array') && part.items && (part.items.$ref || part.items.properties)) {
    return rowsOf(context, keys, part, nameOf(keys.at(-1)), (inner, own, entry) => fieldOf(inner, own, entry));
  }
  if (isTable && !types.some((type) => ['string', 'number', 'integer', 'array', 'boolean'].includes(type))) {
    if (typeof keys.at(-1) === 'number') return entry(context, keys, part);
    return group(nameOf(keys.at(-1)), properties(part).map(([key, inner]) => fieldOf(context, [...keys, key], inner)));
  }
  const control = isTable && !types.includes('array') ? textOrTable(context, keys, part, types) : controlOf(part, types, keys.at(-1));
  const field = labelled(context, keys, part, control);
  const list = listOf(keys, context.choices);
  if (list && !control.input.matches('select, textarea')) control.input.setAttribute('list', list);
  if (keys.join() === 'tags') offerTags(control.input, context.choices.tags);
  if (isFile(keys) && control.input.matches('input')) withFile(context, keys, control, field);
  return field;
}

/** Returns the fields of a list entry: required fields, and optional fields in a folded group. */
function entry(context, keys, part) {
  const isMain = (key) => part.required?.includes(key) || ['title', 'text', 'duration'].includes(key);
  const fields = (wanted) => properties(part).filter(([key]) => isMain(key) === wanted).map(([key, inner]) => fieldOf(context, [...keys, key], inner));
  return element('div', { class: 'fields' }, ...fields(true), group('More details', fields(false)));
}

/** Returns a folded group of related fields. */
const group = (name, fields) => {
  const inner = element('div', { class: 'fields', role: 'group', 'aria-label': name }, ...fields);
  return element('details', { class: 'group' }, element('summary', {}, name), inner);
};

function labelled({ change, fields }, keys, part, control) {
  const id = `field-${keys.join('-')}`;
  control.input.id = id;
  const help = element('p', { class: 'help', id: `${id}-help` }, (part.description ?? '').replaceAll('`', ''));
  const wrong = element('p', { class: 'wrong', id: `${id}-wrong` });
  control.input.setAttribute('aria-describedby', `${id}-help ${id}-wrong`);
  control.input.addEventListener('change', () => {
    try {
      if (control.input.reportValidity()) change(...(control.change?.() ?? [keys, control.value()]));
    } catch (error) {
      wrong.textContent = error.message;
    }
  });
  const tell = (words) => {
    if (words && words !== wrong.textContent) unfold(control.input);
    wrong.textContent = words;
    control.input.toggleAttribute('aria-invalid', Boolean(words));
  };
  fields.push({ keys, show: (value) => control.show(value), tell });
  return element('div', { class: 'field' }, element('label', { for: id }, control.name ?? nameOf(keys.at(-1))), control.input, help, wrong, ...(control.beside ?? []));
}

/** Fills in an input unless it has the focus. */
const fill = (input, text) => {
  if (document.activeElement !== input) input.value = text;
};

/**
 * Returns the control of a field: its element, a function that reads its value (null for none), and one that shows a
 * value.
 */
function controlOf(part, types, key) {
  if (part.enum) return choice(part.enum.map((name) => [name, name]), (text) => text);
  if (types.includes('boolean')) return choice([['true', 'Yes'], ['false', 'No']], (text) => text === 'true');
  if (['integer', 'number'].includes(types[0])) {
    const input = element('input', { type: 'number', step: types[0] === 'integer' ? '1' : 'any' });
    if (part.minimum !== undefined) input.min = part.minimum;
    if (part.maximum !== undefined) input.max = part.maximum;
    return { input, value: () => (input.value === '' ? null : Number(input.value)), show: (held) => fill(input, held ?? '') };
  }
  if (types.includes('array') && typesOf(part.items ?? {}).every((type) => type === 'string') && !part.items?.$ref) return texts();
  if (types.includes('string') && !types.includes('array')) return text((part.maxLength ?? 0) >= 4000 && key !== 'title');
  return json();
}

function choice(choices, parse) {
  const input = element('select', {}, element('option', { value: '' }, '—'), ...choices.map(([value, name]) => element('option', { value }, name)));
  return { input, value: () => (input.value ? parse(input.value) : null), show: (held) => fill(input, held ?? '') };
}

function text(isLong) {
  const input = element(isLong ? 'textarea' : 'input', { autocomplete: 'off', dir: 'auto' });
  if (isLong) input.rows = 3;
  return { input, value: () => input.value || null, show: (held) => fill(input, held ?? '') };
}

/** Returns a control for a list of texts, separated by commas. */
function texts() {
  const input = element('input', { autocomplete: 'off', dir: 'auto', placeholder: 'one, another' });
  const value = () => {
    const all = input.value.split(',').map((one) => one.trim()).filter(Boolean);
    return all.length ? all : null;
  };
  return { input, value, show: (held) => fill(input, [held ?? []].flat().join(', ')) };
}

/** Returns a control for other values, written as JSON. */
function json() {
  const input = element('textarea', { rows: '2', class: 'code', spellcheck: 'false' });
  const value = () => {
    if (!input.value.trim()) return null;
    try {
      return JSON.parse(input.value);
    } catch {
      throw new Error('Invalid JSON: write a list such as [{"name": "Ada"}].');
    }
  };
  return { input, value, show: (held) => fill(input, held === undefined ? '' : JSON.stringify(held, null, 1)) };
}

/** Returns a control for a single value, or a table with more details. In a yes/no field, a table counts as yes. */
function textOrTable(context, keys, part, types) {
  const isNumber = types.includes('number') || types.includes('integer');
  const isFlag = types.includes('boolean') && !types.includes('string');
  const main = isFlag ? null : (isNumber ? ['number'] : ['name', 'identifier', 'url', 'href', 'title', 'text', 'email']).find((key) => part.properties[key]);
  const flag = isFlag && choice([['true', 'Yes'], ['false', 'No']], (text) => text === 'true');
  const input = isFlag ? flag.input : element('input', { autocomplete: 'off', dir: 'auto', ...(isNumber && { type: 'number', step: 'any' }) });
  let held;
  const isTable = () => typeof held === 'object' && held !== null;
  const own = () => (isFlag ? flag.value() : input.value === '' ? null : isNumber ? Number(input.value) : input.value);
  const show = (value) => {
    held = value;
    fill(input, (isTable() ? (isFlag ? true : value[main]) : value) ?? '');
  };
  const changed = () => {
    if (isTable() && isFlag) return [keys, own() === true ? held : own()];
    return isTable() && own() !== null ? [[...keys, main], own()] : [keys, own()];
  };
  const inner = {
    ...context,
    // The first additional detail turns the single value into a table.
    change: (deep, value) => {
      if (isTable() || value === null) return context.change(deep, value);
      const beside = deep.slice(keys.length).reduceRight((inner, key) => ({ [key]: inner }), value);
      context.change(keys, { ...(main && own() !== null && { [main]: own() }), ...beside });
    },
  };
  const others = properties(part).filter(([key]) => key !== main);
  const beside = group('More details', others.map(([key, other]) => fieldOf(inner, [...keys, key], other)));
  const name = main && typeof keys.at(-1) === 'number' ? nameOf(main) : undefined;
  return { input, show, name, value: own, change: changed, beside: others.length ? [beside] : [] };
}
