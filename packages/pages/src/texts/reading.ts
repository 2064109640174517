import { say } from '@prismapi/jsonapi/document/text'
import { eachOf, numberTold, type Words } from './words.ts'

// What pages say of what they show.

/** What stands where there is no value, and in front of what. */
export const values = {
  none: say`none`,
  yes: say`yes`,
  no: say`no`,
  open: say`Show`,
  more: (count: number) => say`and ${count} more`,
  andMore: say`and more`,
  all: say`Show all`,
  utc: say`UTC`,
} as const

export const table = {
  id: say`ID`,
  empty: say`There is nothing here.`,
  noneFound: say`Nothing matches.`,
  showAll: say`Show all`,
  columns: say`Columns`,
  sortBy: (title: Words) => say`Sort by ${title}`,
  without: (name: Words) => say`Only where ${name} is empty`,
  inAll: (total: number): Words => (total === 1 ? say`1 in all` : say`${numberTold(total)} in all`),
  range: (from: number, to: number, total: number | null): Words =>
    total === null ? `${from}–${to}` : from === to && total === 1 ? say`1 in all` : say`${from}–${to} of ${total}`,
  rangeOfMore: (from: number, to: number, most: number): Words => say`${from}–${to} of more than ${numberTold(most)}`,
  pages: { first: say`First`, prev: say`Previous`, next: say`Next`, last: say`Last` } as Readonly<
    Record<string, Words>
  >,
} as const

export const page = {
  map: say`Home`,
  error: (status: number) => say`Error ${status}`,
  statisticsOf: (type: Words) => say`Statistics of ${type}`,
  relationOf: (relation: Words, what: Words) => say`${relation} of ${what}`,
  ids: say`edit`,
  included: say`Also shown`,
  noOne: say`There is none.`,
  allOf: (relation: Words) => say`All ${relation}`,
  meta: say`Further information`,
} as const

export const raw = {
  title: say`For developers`,
  command: say`The request, for a shell`,
  program: say`The request, for a program`,
  typed: say`The request, for the typed client`,
  document: say`The document`,
  show: say`Show the document`,
  rule: say`Allowed by`,
  copy: say`Copy`,
  copied: say`Copied`,
  notCopied: say`Your browser does not allow it`,
} as const

export const failures = {
  titles: { 403: say`Not allowed`, 404: say`Not found` } as Readonly<Record<number, Words>>,
  nothingHere: say`There is nothing at this address that you may see.`,
  home: say`Home`,
  all: (type: Words) => say`All ${type}`,
  search: say`Search`,
  searchIn: (type: Words) => say`Search ${type}`,
  asGuest: say`You asked as a guest. Sign in, and try again.`,
  asUser: (name: Words) => say`You asked as ${name}. If another account may do it, sign out and sign in with that one.`,
} as const

export const record = {
  tabs: say`Tabs`,
  details: say`Details`,
  related: say`Related`,
  permissions: say`Permissions`,
  inBin: say`This is in the bin.`,
  facts: say`Facts`,
  nothingRelated: say`Nothing is related to it.`,
} as const

export const did = {
  save: say`Saved.`,
  create: say`Created.`,
  restore: say`Restored.`,
  delete: say`Deleted:`,
  removed: say`Deleted.`,
  attach: say`Added.`,
  detach: say`Removed.`,
  action: (action: Words) => say`Done: ${action}`,
  full: say`There is no room for another view. Remove one first.`,
} as const

export const bin = {
  title: say`Bin`,
  empty: say`The bin is empty.`,
  deletedAt: say`Deleted at`,
  back: say`All others`,
} as const

export const may = {
  title: say`What you may do`,
  yes: values.yes,
  no: values.no,
  unknown: say`known when tried`,
  unruled: say`It cannot be changed here.`,
  links: say`It would change rows that you may not change.`,
  notThis: say`You may not do this with this record.`,
  notAccount: say`Your account may not do this.`,
  notGuests: say`Guests may not do this.`,
  where: say`Where this is decided`,
  only: (fields: Words) => say`only ${fields}`,
  refusals: (count: number) => say`You may not: ${count}`,
  groups: { reading: say`Reading`, writing: say`Writing`, actions: say`Actions`, relations: say`Relations` },
  kinds: {
    view: say`See`,
    update: say`Update`,
    delete: say`Delete`,
    forceDelete: say`Force delete`,
  } as Readonly<Record<string, Words>>,
  seeWith: (relations: readonly Words[]) => say`See it, its ${eachOf(relations)}`,
  relations: {
    viewRelated: (relation: Words) => say`See ${relation}`,
    // To create a new one is another right.
    updateRelationship: (relation: Words, isMany: boolean) =>
      isMany ? say`Add and remove existing ${relation}` : say`Change ${relation}`,
    attach: (relation: Words) => say`Add existing ${relation}`,
    detach: (relation: Words) => say`Remove from ${relation}`,
  },
} as const

export const map = {
  find: say`Filter the types`,
  closed: say`You may not list them.`,
  related: say`How the types are related`,
  others: say`Others`,
  recent: say`Recently changed`,
  ofEach: (most: number): Words => say`At most ${most} of each type`,
  moreThan: (most: number): Words => say`more than ${numberTold(most)}`,
} as const

export const firstRun = {
  unreadable: (types: number) => say`${numberTold(types)} types, none readable yet`,
  guest: say`You are a guest. If your policies ask for a user, sign in.`,
  policy: (models: number) => say`${numberTold(models)} models have no policy, which denies everything. Write one:`,
  allow: say`Open the file, and allow reading:`,
  why: say`To see why something is denied, run`,
  noTables: say`The database has not all tables of the Prisma schema`,
  migrate: say`Apply the migrations:`,
  migrateNew: say`If there is none for your last change, make it:`,
  noRows: say`No rows yet`,
  make: say`Make the first one:`,
  seed: say`If the project has example data, load it:`,
} as const

const functions: Readonly<Record<string, Words>> = {
  count: say`Count`,
  sum: say`Sum`,
  avg: say`Average`,
  min: say`Minimum`,
  max: say`Maximum`,
}

export const statistics = {
  by: say`Statistics by`,
  none: say`There are no groups.`,
  groups: say`Groups`,
  without: (key: Words) => say`Without ${key}`,
  yes: values.yes,
  no: values.no,
  parts: { year: say`year`, month: say`month`, week: say`week`, day: say`day` } as Readonly<Record<string, Words>>,
  number: (type: Words) => say`Number of ${type}`,
  figure: (name: string, of: Words) => say`${functions[name] ?? name} of ${of}`,
  ofSome: (figure: Words) => say`${figure}, where there is one`,
  chart: (figure: Words, key: Words) => say`${figure} by ${key}`,
  asTable: (title: Words) => say`${title}; the table has the same figures`,
} as const

// What stands around each page, and what scripts say.

export const frame = {
  skip: say`Skip to the content`,
  home: page.map,
  way: say`Breadcrumbs`,
  types: say`Types`,
  searchAll: say`Search everything`,
  servers: say`Servers`,
  menu: say`Menu`,
  developers: say`For developers`,
  close: say`Close`,
  reference: say`API reference`,
  theme: say`Light or dark`,
  scriptless: say`Without JavaScript you type an ID where you would search by name, and pages do not update themselves.`,
  pages: say`Pages`,
  keys: {
    title: say`Keys`,
    all: [
      ['/', say`Search everything`],
      ['↓ ↑', say`Go from row to row`],
      ['Enter', say`Open the row`],
      ['x', say`Choose the row`],
      ['e', say`Edit`],
      ['n', say`New`],
      ['?', say`Show the keys`],
    ],
  },
} as const

export const signing = {
  title: say`Sign in`,
  leave: say`Sign out`,
  leaveAll: say`Sign out everywhere`,
  leaveProvider: say`Sign out at the provider`,
  login: say`Login`,
  password: say`Password`,
  by: (provider: string) => say`Sign in with ${provider}`,
  token: say`Paste your access token`,
  guest: say`You are a guest.`,
  user: (name: Words) => say`You are ${name}.`,
  unnamed: say`signed in`,
  noToken: say`This is not a token.`,
  tooLong: say`This token is too long: browsers keep no cookie of its size.`,
  unknown: say`This token belongs to nobody.`,
} as const

export const reference = {
  type: say`Type`,
  show: values.open,
  reading: say`The document is being read…`,
} as const

/** What the scripts in `assets/` say: they look it up by the English text. */
export const script = [
  say`It was changed since this page was made. Nothing is saved yet.`,
  say`Error ${0}`,
  say`The server cannot be reached.`,
  say`This is not JSON.`,
  say`This is not JSON: look at line ${0}, character ${1}.`,
  say`Remove ${0}`,
  say`Found`,
  say`There are more: type on.`,
  say`Not saved: one field needs your attention.`,
  say`Not saved: ${0} fields need your attention.`,
  say`1 change`,
  say`${0} changes`,
  say`removed`,
  values.yes,
  values.no,
  say`the server answered ${0}`,
  say`The document cannot be shown: ${0}. Load the page again.`,
] as const
