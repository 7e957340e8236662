// A form generated from the JSON schema of front matter.

import { element, unfold } from './page.js';
import { choice, fill, json, number, text, texts, time } from './controls.js';
import { choiceOf, helpOf, nameOf } from './labels.js';
import { isTable, properties, resolved, typesOf } from './schema.js';
import { arrange, group, isApart, TABLES } from './sections.js';
import { dateControl } from './moment.js';
import { repeatOf, timeOf, zones } from './when.js';
import { isFile, listOf, listsOf, offerTags, rowsOf, withFile } from './rows.js';

// Fields that combine several inputs.
const TOGETHER = { start: timeOf, end: timeOf, originalStartTime: timeOf, recurrence: repeatOf };

// Fields that contain a date with a time.
const DATES = ['date_published', 'date_modified', 'date_created'];

// Values of fields that are left out, by the kind of file.
const USUAL = { 'item:status': 'published', 'page:status': 'published' };

// Fields that accept a list, but only ever have one value.
const ALONE = ['license'];

const at = (values, keys) => keys.reduce((value, key) => value?.[key], values);

/**
 * Makes the form for the fields of a file. `name` is the form's name: an item has the form of an episode, a photo or a
 * post. `change(keys, value)` is called with each change, and null removes a field. `media` handles the fields that name
 * files, `choices` has values used elsewhere in the site, and `zone` is the site's time zone. Returns the fields before
 * the text, the form with all other fields, and a function that shows new values with their problems.
 */
export function formOf(schema, change, { kind, name, media, choices, zone }) {
  const isDated = ['event', 'calendar'].includes(kind);
  const context = { schema, kind, name, zone, change, media, choices: { ...choices, ...(isDated && { zones: zones() }) }, fields: [], placed: new Map() };
  for (const [key, part] of properties(schema)) place(context, [key], part);
  const { before, after } = arrange(name, context.placed);
  const lead = element('div', { class: 'fields lead' }, ...before);
  const form = element('form', { class: 'fields', 'aria-label': 'Fields' }, ...(choices ? listsOf(context.choices) : []), ...after);
  form.addEventListener('submit', (event) => event.preventDefault());
  const show = (values, problems) => {
    for (const field of context.fields) {
      field.show(at(values, field.keys), values);
      const own = problems.filter((problem) => placeOf(context.fields, problem) === field);
      field.tell(own.map((problem) => [problem.message, problem.help].filter(Boolean).join(': ')).join(' '));
    }
  };
  return { title: lead, form, show };
}

/** Makes a field, or the fields of a table whose fields are placed one by one. */
function place(context, keys, unresolved) {
  const part = resolved(context.schema, unresolved);
  if (keys.length === 1 && TABLES.includes(keys[0]) && isTable(part)) {
    for (const [key, inner] of properties(part)) place(context, [...keys, key], inner);
  } else {
    context.placed.set(keys.join('.'), fieldOf(context, keys, unresolved));
  }
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

/** Returns the element of a field or of a group of fields. */
function fieldOf(context, keys, unresolved) {
  const part = resolved(context.schema, unresolved);
  const types = typesOf(part).filter((type) => type !== 'array' || !ALONE.includes(keys.at(-1)));
  const name = nameOf(context.name, keys);
  if (context.kind === 'event' && keys.length === 1 && TOGETHER[keys[0]]) return TOGETHER[keys[0]](context, keys, name, part);
  if (['item', 'page'].includes(context.kind) && DATES.includes(keys.join())) return labelled(context, keys, part, dateControl(context.zone, keys[0]));
  if (types.includes('array') && part.items && (part.items.$ref || part.items.properties)) {
    return rowsOf(context, keys, part, name, (inner, own, entry) => fieldOf(inner, own, entry));
  }
  if (isTable({ ...part, type: types })) {
    if (typeof keys.at(-1) === 'number') return entry(context, keys, part);
    return group(name, properties(part).map(([key, inner]) => fieldOf(context, [...keys, key], inner)));
  }
  const hasDetails = types.includes('object') && part.properties && !types.includes('array');
  const control = hasDetails ? textOrTable(context, keys, part, types) : controlOf(context, keys, part, types);
  const field = labelled(context, keys, part, control);
  const list = listOf(keys, context.choices);
  if (list && !control.input.matches('select, textarea')) control.input.setAttribute('list', list);
  if (keys.join() === 'tags') offerTags(control.input, context.choices.tags);
  if (isFile(keys) && control.input.matches('input')) withFile(context, keys, control, field);
  return field;
}

/** Returns the fields of a list entry: required fields, and optional fields in a folded group. */
function entry(context, keys, part) {
  const isMain = (key) => part.required?.includes(key) || ['title', 'text', 'duration', 'role'].includes(key);
  const fields = (wanted) => properties(part).filter(([key]) => isMain(key) === wanted).map(([key, inner]) => fieldOf(context, [...keys, key], inner));
  return element('div', { class: 'fields' }, ...fields(true), group('More details', fields(false)));
}

function labelled({ change, fields, name }, keys, part, control) {
  const id = `field-${keys.join('-')}`;
  control.input.id = id;
  const help = element('p', { class: 'help', id: `${id}-help` }, [helpOf(name, keys, part), control.note].filter(Boolean).join(' '));
  const wrong = element('p', { class: 'wrong', id: `${id}-wrong` });
  control.input.setAttribute('aria-describedby', `${id}-help ${id}-wrong`);
  const take = () => {
    try {
      if (control.input.reportValidity()) change(...(control.change?.() ?? [keys, control.value()]));
    } catch (error) {
      wrong.textContent = error.message;
    }
  };
  if (control.listen) control.listen(take);
  else control.input.addEventListener('change', take);
  const tell = (words) => {
    if (words && words !== wrong.textContent) unfold(control.input);
    wrong.textContent = words;
    control.input.toggleAttribute('aria-invalid', Boolean(words));
  };
  fields.push({ keys, show: (value, values) => control.show(value, values), tell });
  return element('div', { class: 'field' }, element('label', { for: id }, control.name ?? nameOf(name, keys)), control.input, help, wrong, ...(control.beside ?? []));
}

/** Returns the control of a field. */
function controlOf({ kind, name }, keys, part, types) {
  const named = (value) => [value, choiceOf(name, keys, value)];
  if (keys[1] === 'chapters' && ['startTime', 'endTime'].includes(keys.at(-1))) return time();
  if (part.enum) return choice(part.enum.map(named), (chosen) => chosen, USUAL[`${kind}:${keys.join()}`]);
  if (types.includes('boolean')) return choice([['true', 'Yes'], ['false', 'No']], (chosen) => chosen === 'true');
  if (['integer', 'number'].includes(types[0])) return number(part, types[0] === 'integer');
  if (types.includes('array') && typesOf(part.items ?? {}).every((type) => type === 'string') && !part.items?.$ref) return texts();
  if (types.includes('string') && !types.includes('array')) return text((part.maxLength ?? 0) >= 4000 && keys.at(-1) !== 'title');
  return json();
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
      const single = own() ?? (context.name === 'photo' && keys.join() === 'image' ? context.media.sound() : null) ?? null;
      context.change(keys, { ...(main && single !== null && { [main]: single }), ...beside });
    },
  };
  const others = properties(part).filter(([key]) => key !== main).map(([key, other]) => [key, fieldOf(inner, [...keys, key], other)]);
  const name = main && typeof keys.at(-1) === 'number' ? nameOf(context.name, [...keys, main]) : undefined;
  return { input, show, name, value: own, change: changed, beside: detailsOf(context, keys, others) };
}

/**
 * Returns the details of a field: alternative text, and the others in a folded group. Leaves out details that are placed
 * on their own.
 */
function detailsOf(context, keys, details) {
  const pathOf = (key) => [...keys, key].join('.');
  const isPlaced = ([key]) => isApart(context.name, pathOf(key));
  for (const [key, field] of details.filter(isPlaced)) context.placed.set(pathOf(key), field);
  const here = details.filter((detail) => !isPlaced(detail));
  const shown = here.filter(([key]) => key === 'alt').map(([, field]) => field);
  const folded = here.filter(([key]) => key !== 'alt').map(([, field]) => field);
  return [...shown, ...(folded.length ? [group('More details', folded)] : [])];
}
