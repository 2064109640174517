import { say } from '@prismapi/jsonapi/document/text'
import { numberTold, type Words } from './words.ts'

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
} as const

export const table = {
  id: say`ID`,
  empty: say`There is nothing here.`,
  noneFound: say`Nothing matches.`,
  showAll: say`Show all`,
  columns: say`Columns`,
  sortBy: (title: Words) => say`Sort by ${title}`,
  without: (name: Words) => say`Only those without ${name}`,
  range: (from: number, to: number, total: number | null): Words =>
    total === null ? `${from}–${to}` : from === to && total === 1 ? say`1 in all` : say`${from}–${to} of ${total}`,
  rangeOfMore: (from: number, to: number, most: number): Words => say`${from}–${to} of more than ${numberTold(most)}`,
  pages: { first: say`First`, prev: say`Previous`, next: say`Next`, last: say`Last` } as Readonly<
    Record<string, Words>
  >,
} as const

export const page = {
  map: say`Map of the resources`,
  error: (status: number) => say`Error ${status}`,
  statisticsOf: (type: Words) => say`Statistics of ${type}`,
  relationOf: (relation: Words, what: Words) => say`${relation} of ${what}`,
  ids: say`ids`,
  included: say`Included`,
  noOne: say`There is none.`,
  way: say`Breadcrumbs`,
  meta: say`Meta`,
} as const

export const raw = {
  title: say`The request and its answer`,
  command: say`The request, for a shell`,
  program: say`The request, for a program`,
  typed: say`The request, for the typed client`,
  document: say`The document`,
  show: say`Show the document`,
  copy: say`Copy`,
  copied: say`Copied`,
  notCopied: say`Your browser does not allow it`,
} as const

export const may = {
  title: say`What you may do`,
  yes: values.yes,
  no: values.no,
  unknown: say`known when tried`,
  why: say`Why not?`,
  only: (fields: Words) => say`only ${fields}`,
  kinds: {
    view: say`See`,
    update: say`Update`,
    delete: say`Delete`,
    forceDelete: say`Force delete`,
  } as Readonly<Record<string, Words>>,
  relations: {
    viewRelated: (relation: Words) => say`See ${relation}`,
    updateRelationship: (relation: Words) => say`Update ${relation}`,
    attach: (relation: Words) => say`Attach ${relation}`,
    detach: (relation: Words) => say`Detach ${relation}`,
  },
} as const

export const map = {
  find: say`Find a type`,
  closed: say`You may not list them.`,
  groups: say`Groups of types`,
  others: say`Others`,
  recent: say`Recently changed`,
  moreThan: (most: number): Words => say`more than ${numberTold(most)}`,
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
  noKey: values.none,
  yes: values.yes,
  no: values.no,
  parts: { year: say`year`, month: say`month`, week: say`week`, day: say`day` } as Readonly<Record<string, Words>>,
  figure: (name: string, of: Words | null): Words => {
    const figure = functions[name] ?? name
    return of === null ? figure : say`${figure} of ${of}`
  },
  chart: (figure: Words, key: Words) => say`${figure} by ${key}`,
  asTable: (title: Words) => say`${title}; the table has the same figures`,
} as const
