// The words of the pages, by the part of the page that says them.

/** What stands where there is no value, and in front of what. */
export const values = {
  none: 'none',
  yes: 'yes',
  no: 'no',
  open: 'Show',
  more: (count: number) => `and ${count} more`,
  andMore: 'and more',
  all: 'Show all',
} as const

export const table = {
  id: 'ID',
  empty: 'There is nothing here.',
  noneFound: 'Nothing matches.',
  showAll: 'Show all',
  columns: 'Columns',
  sortBy: (name: string) => `Sort by ${name}`,
  without: (name: string) => `Only those without ${name.charAt(0).toLowerCase()}${name.slice(1)}`,
  range: (from: number, to: number, total: number | null) =>
    total === null ? `${from}–${to}` : from === to && total === 1 ? '1 in all' : `${from}–${to} of ${total}`,
  pages: { first: 'First', prev: 'Previous', next: 'Next', last: 'Last' } as Readonly<Record<string, string>>,
} as const

export const page = {
  map: 'Map of the resources',
  error: (status: number) => `Error ${status}`,
  statisticsOf: (type: string) => `Statistics of ${type}`,
  relationOf: (relation: string, what: string) => `${relation} of ${what}`,
  ids: 'ids',
  included: 'Included',
  noOne: 'There is none.',
} as const

export const raw = {
  title: 'The request and its answer',
  command: 'The request, for a shell',
  program: 'The request, for a program',
  typed: 'The request, for the typed client',
  document: 'The document',
  show: 'Show the document',
  copy: 'Copy',
  copied: 'Copied',
  notCopied: 'Your browser does not allow it',
} as const

/** Operators as the middle of a sentence; with a colon where the value is settled. */
const same = { equals: 'is', not: 'is not', in: 'is one of', notIn: 'is none of' } as const
const known = { 'isNull:true': 'is empty', 'isNull:false': 'is not empty' } as const
const bounds = { gt: 'is more than', gte: 'is at least', lt: 'is less than', lte: 'is at most' } as const
const lists = {
  has: 'has',
  hasSome: 'has one of',
  hasEvery: 'has all of',
  'isEmpty:true': 'is empty',
  'isEmpty:false': 'is not empty',
} as const

export const filters = {
  id: 'ID',
  add: 'Add a filter',
  where: 'Where',
  choose: 'choose a field',
  next: 'Next',
  apply: 'Apply',
  cancel: 'Cancel',
  operator: 'How it is compared',
  value: 'Value',
  join: 'Joined with the others by',
  and: 'and',
  or: 'or',
  not: 'not',
  inForce: 'Filters in force',
  clear: 'Clear all',
  remove: 'Remove the filter',
  search: 'Search',
  searchIn: (type: string) => `Search ${type}`,
  list: 'Several with commas between them.',
  utc: 'UTC',
  yes: values.yes,
  no: values.no,
  operators: {
    text: {
      ...{ '': 'is', contains: 'contains', icontains: 'contains, in any case', equals: 'is' },
      ...{ iequals: 'is, in any case', startsWith: 'begins with', endsWith: 'ends with' },
      ...{ not: 'is not', in: 'is one of', notIn: 'is none of', ...known, ...lists },
    },
    number: { '': 'is', ...same, ...bounds, ...known, ...lists },
    datetime: {
      ...{ '': 'is', gte: 'is at or after', gt: 'is after', lt: 'is before', lte: 'is at or before' },
      ...{ ...same, ...known, ...lists },
    },
    boolean: { '': 'is', ...known },
    choice: { '': 'is', notIn: 'is none of', ...known, ...lists },
    relation: {
      ...{ '': 'is', not: 'is not', notIn: 'is none of' },
      ...{ 'exists:true': 'is there', 'exists:false': 'is not there' },
    },
  },
} as const

export const view = {
  title: 'View',
  include: 'Include',
  count: 'Count',
  sort: 'Sort',
  page: 'Page',
  fields: 'Columns',
  fieldsOf: (type: string) => `Fields of ${type}`,
  apply: 'Apply',
  clear: 'Clear',
} as const

export const density = {
  compact: 'Compact rows',
  comfortable: 'Comfortable rows',
} as const

export const may = {
  title: 'What you may do',
  yes: values.yes,
  no: values.no,
  unknown: 'when tried',
  why: 'Why not?',
  only: (fields: string) => `only ${fields}`,
} as const

export const forms = {
  create: (one: string) => `New ${one}`,
  update: 'Edit',
  save: 'Save',
  remove: 'Delete',
  attach: 'Add',
  detach: 'Remove',
  set: 'Set',
  clear: 'Clear',
  replaceAll: 'Replace all',
  required: 'required',
  related: 'Related',
  unsaved: 'Not saved yet.',
  conflict: {
    title: 'Somebody else has changed it while you were writing.',
    columns: ['Field', 'When you began', 'Now', 'Yours'],
    keep: 'Save mine',
    drop: 'Discard mine',
  },
  one: 'Search by name, or type an id.',
  many: 'Search by name, or type ids with commas between them.',
  oneId: 'An id.',
  manyIds: 'Ids, with commas between them.',
} as const

export const history = {
  title: 'History',
  columns: { at: 'When', action: 'What', user: 'By', fields: 'Fields', request: 'Request' },
  actions: { create: 'Created', update: 'Updated', delete: 'Deleted' } as Readonly<Record<string, string>>,
  all: 'All changes',
} as const

export const creation = {
  title: forms.create,
  back: 'Cancel',
  refused: 'You may not create one.',
  made: 'Created:',
} as const

export const many = {
  chosen: 'The chosen rows',
  choose: 'choose what to do',
  change: (field: string) => `Change ${field.charAt(0).toLowerCase()}${field.slice(1)}`,
  remove: 'Delete',
  save: forms.save,
  next: 'Next',
  all: 'All rows',
  back: 'Cancel',
  backToAll: 'Back',
  some: (count: number, what: string) => `${count.toLocaleString('en')} ${what}`,
  changeTitle: (field: string, those: string) => `${field} of ${those}`,
  removeTitle: (those: string) => `Delete ${those}?`,
  refused: 'not by you',
  left: (taken: number, left: number) => `One request takes ${taken}; ${left} more were chosen, and stay as they are.`,
  nothing: 'Nothing was changed',
  done: { change: 'Changed:', delete: 'Deleted:' },
} as const

export const map = {
  find: 'Find a type',
  closed: 'You may not list them.',
  groups: 'Groups of types',
  others: 'Others',
} as const

const functions: Readonly<Record<string, string>> = {
  count: 'Count',
  sum: 'Sum',
  avg: 'Average',
  min: 'Least',
  max: 'Greatest',
}

export const statistics = {
  by: 'Statistics by',
  none: 'There are no groups.',
  groups: 'Groups',
  noKey: values.none,
  yes: values.yes,
  no: values.no,
  parts: { year: 'year', month: 'month', week: 'week', day: 'day' } as Readonly<Record<string, string>>,
  figure: (name: string, of: string | null) => (functions[name] ?? name) + (of === null ? '' : ` of ${of}`),
  chart: (figure: string, key: string) => `${figure} by ${key.charAt(0).toLowerCase()}${key.slice(1)}`,
  asTable: (title: string) => `${title}; the table has the same figures`,
  number: (value: number) => value.toLocaleString('en'),
} as const

export const deletion = {
  title: (name: string) => `Delete ${name}?`,
  remove: forms.remove,
  back: 'Cancel',
  refused: 'You may not delete it.',
  willFail: 'It cannot be deleted as it is:',
  one: {
    marked: 'It is put into the bin. Nothing else changes.',
    alone: 'As far as you can see, nothing else is deleted with it.',
    removed: 'Deleted with it:',
    cleared: 'Stays, and belongs to it no longer:',
    kept: 'Keeps it from being deleted:',
  },
  several: {
    marked: 'They are put into the bin. Nothing else changes.',
    alone: 'As far as you can see, nothing else is deleted with them.',
    removed: 'Deleted with them:',
    cleared: 'Stays, and belongs to them no longer:',
    kept: 'Keeps them from being deleted:',
  },
  some: (count: number, what: string) => `${count.toLocaleString('en')} ${what}`,
} as const
