// Elements, and a form that is made of the schema of front matter.

/** Makes an element. */
export function element(name, attributes = {}, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  made.append(...children);
  return made;
}

// Shown first; the others are under "More".
const FIRST = ['title', 'status', 'date_published', 'summary', 'tags', 'attachment', 'image'];

// What people do not write: made by `new`, or set once.
const LAST = ['id', 'guid', 'date_created', 'allow'];

const NAMES = {
  attachment: 'Recording or main file',
  date_published: 'Date',
  id: 'Id',
  guid: 'GUID',
  seo: 'For search engines',
  itunes: 'Apple Podcasts',
  podcast: 'Podcasting 2.0',
  url: 'Link',
};

const nameOf = (key) => NAMES[key] ?? `${key[0].toUpperCase()}${key.slice(1)}`.replaceAll('_', ' ');

/**
 * The form of a file's fields. `change(keys, value)` is called with each change; null takes a field away.
 * Answers the form, and a function that shows other values in it.
 */
export function formOf(schema, change) {
  const fields = [];
  const resolve = (part) => ({ ...(part.$ref ? schema.$defs[part.$ref.split('/').at(-1)] : {}), ...part });
  const add = (keys, part) => {
    const field = fieldOf(keys, resolve(part), change, add);
    fields.push(...field.fields);
    return field.element;
  };
  const own = Object.entries(schema.properties ?? {}).filter(([, part]) => !part.deprecated);
  const rank = ([key]) => (FIRST.includes(key) ? FIRST.indexOf(key) : LAST.includes(key) ? 900 : 100);
  own.sort((a, b) => rank(a) - rank(b));
  const made = own.map((entry) => [rank(entry) < FIRST.length, add([entry[0]], entry[1])]);
  const more = element('details', { class: 'more' }, element('summary', {}, 'More fields'));
  more.append(...made.filter(([isFirst]) => !isFirst).map(([, field]) => field));
  const form = element('form', { class: 'fields', 'aria-label': 'Fields' });
  form.append(...made.filter(([isFirst]) => isFirst).map(([, field]) => field), more);
  form.addEventListener('submit', (event) => event.preventDefault());
  const show = (values, problems) => {
    for (const field of fields) field.show(at(values, field.keys));
    tellProblems(fields, problems);
  };
  return { form, show };
}

function at(values, keys) {
  return keys.reduce((value, key) => value?.[key], values);
}

/** Puts what is wrong beside the field that it names. */
function tellProblems(fields, problems) {
  for (const field of fields) {
    const own = problems.filter((problem) => new RegExp(`\`${field.keys.at(-1)}\`|^${field.keys.at(-1)}:`).test(problem.message));
    field.tell(own.map((problem) => [problem.message, problem.help].filter(Boolean).join(': ')).join(' '));
  }
}

function fieldOf(keys, part, change, add) {
  const types = [part.type ?? 'string'].flat();
  if (types.includes('object') && !types.includes('string') && part.properties) {
    const parts = Object.entries(part.properties).filter(([, inner]) => !inner.deprecated);
    const group = element('details', { class: 'group' }, element('summary', {}, nameOf(keys.at(-1))));
    group.append(...parts.map(([key, inner]) => add([...keys, key], inner)));
    return { element: group, fields: [] };
  }
  const control = controlOf(types, part);
  const id = `field-${keys.join('-')}`;
  control.input.id = id;
  const help = element('p', { class: 'help', id: `${id}-help` }, part.description ?? '');
  const wrong = element('p', { class: 'wrong', id: `${id}-wrong` });
  control.input.setAttribute('aria-describedby', `${id}-help ${id}-wrong`);
  const field = element('div', { class: 'field' }, element('label', { for: id }, nameOf(keys.at(-1))), control.input, help, wrong);
  control.input.addEventListener('change', () => {
    if (!control.input.reportValidity()) return;
    change(keys, control.value());
  });
  const tell = (words) => {
    wrong.textContent = words;
    if (words) control.input.setAttribute('aria-invalid', 'true');
    else control.input.removeAttribute('aria-invalid');
  };
  return { element: field, fields: [{ keys, show: control.show, tell }] };
}

/** What a field is filled in with: its element, the value in it (null: none), and how a value is shown. */
function controlOf(types, part) {
  const choices = part.enum ?? part.anyOf?.find((one) => one.enum && types.length === 1 && types[0] === 'string')?.enum;
  if (choices && part.enum) {
    const input = element('select', {}, element('option', { value: '' }, '—'), ...choices.map((name) => element('option', {}, name)));
    return simple(input, (text) => text || null);
  }
  if (types.includes('boolean')) {
    const input = element('select', {}, ...[['', '—'], ['true', 'Yes'], ['false', 'No']].map(([value, name]) => element('option', { value }, name)));
    return simple(input, (text) => (text ? text === 'true' : null));
  }
  if (types.length === 1 && (types[0] === 'integer' || types[0] === 'number')) {
    const input = element('input', { type: 'number', step: types[0] === 'integer' ? '1' : 'any' });
    if (part.minimum !== undefined) input.min = part.minimum;
    if (part.maximum !== undefined) input.max = part.maximum;
    return simple(input, (text) => (text === '' ? null : Number(text)));
  }
  const isList = types.includes('array') && [part.items?.type].flat().includes('string') && !part.items.$ref;
  if (isList) {
    const input = element('input', { autocomplete: 'off', dir: 'auto', placeholder: 'one, another' });
    const value = () => {
      const all = input.value.split(',').map((one) => one.trim()).filter(Boolean);
      return all.length ? all : null;
    };
    const show = (held) => {
      const text = [held ?? []].flat().join(', ');
      if (document.activeElement !== input) input.value = text;
    };
    return { input, value, show };
  }
  if (types.includes('string') || part.anyOf) {
    const isLong = (part.maxLength ?? 0) >= 4000;
    const input = element(isLong ? 'textarea' : 'input', { autocomplete: 'off', dir: 'auto' });
    if (isLong) input.rows = 3;
    return written(simple(input, (text) => text || null));
  }
  return written(simple(element('textarea', { rows: '3' }), (text) => text || null));
}

function simple(input, parse) {
  const show = (held) => {
    if (document.activeElement !== input) input.value = held ?? '';
  };
  return { input, value: () => parse(input.value), show };
}

/** A text that may also be a table or a list, which is written as JSON then. */
function written(control) {
  const { input } = control;
  let isTable = false;
  return {
    input,
    value: () => {
      if (!isTable || !input.value.trim()) return control.value();
      return JSON.parse(input.value);
    },
    show: (held) => {
      isTable = typeof held === 'object' && held !== null;
      if (document.activeElement === input) return;
      control.show(isTable ? JSON.stringify(held) : held);
      input.classList.toggle('table', isTable);
    },
  };
}
