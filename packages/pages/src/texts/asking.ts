import { say } from '@prismapi/jsonapi/document/text'
import { values } from './reading.ts'
import type { Words } from './words.ts'

// What the forms say that ask for another view.

/** Operators as the middle of a sentence; with a colon where the value is settled. */
const same = { equals: say`is`, not: say`is not`, in: say`is one of`, notIn: say`is none of` } as const
const known = { 'isNull:true': say`is empty`, 'isNull:false': say`is not empty` } as const
const bounds = { gt: say`is more than`, gte: say`is at least`, lt: say`is less than`, lte: say`is at most` } as const
const times = { gte: say`is at or after`, gt: say`is after`, lt: say`is before`, lte: say`is at or before` } as const
const lists = {
  has: say`has`,
  hasSome: say`has one of`,
  hasEvery: say`has all of`,
  'isEmpty:true': say`is empty`,
  'isEmpty:false': say`is not empty`,
} as const

export const filters = {
  id: say`ID`,
  where: say`Filter by`,
  choose: say`Filter`,
  next: say`Continue`,
  apply: say`Apply`,
  cancel: say`Cancel`,
  operator: say`Comparison`,
  value: say`Value`,
  join: say`Joined with the others by`,
  and: say`and`,
  or: say`or`,
  denied: (filter: Words) => say`not: ${filter}`,
  inForce: say`Active filters`,
  clear: say`Clear all`,
  nobody: (text: string) => say`Nothing is called “${text}”. Type another name.`,
  remove: say`Remove the filter`,
  trashed: { only: say`In the bin`, with: say`Also in the bin` } as Readonly<Record<string, Words>>,
  search: say`Search`,
  searchIn: (type: Words) => say`Search ${type}`,
  utc: say`UTC`,
  yes: values.yes,
  no: values.no,
  operators: {
    text: {
      ...{ '': say`is`, contains: say`contains`, icontains: say`contains, ignoring case`, equals: say`is` },
      iequals: say`is, ignoring case`,
      startsWith: say`begins with`,
      endsWith: say`ends with`,
      not: say`is not`,
      in: say`is one of`,
      notIn: say`is none of`,
      ...known,
      ...lists,
    },
    number: { '': say`is`, ...same, ...bounds, ...known, ...lists },
    datetime: { '': say`is`, ...times, ...same, ...known, ...lists },
    date: { '': say`is`, ...times, ...same, ...known, ...lists },
    boolean: { '': say`is`, ...known },
    choice: { '': say`is`, notIn: say`is none of`, ...known, ...lists },
    relation: {
      ...{ '': say`is`, not: say`is not`, notIn: say`is none of` },
      ...{ 'exists:true': say`is there`, 'exists:false': say`is not there` },
    },
  },
} as const

export const view = {
  title: say`View`,
  anyOrder: say`default order`,
  sort: say`Sort`,
  rows: say`Rows on a page`,
  fields: say`Columns`,
  parts: say`Fields`,
  apply: say`Apply`,
  reset: say`Reset`,
} as const

export const more = {
  title: say`More`,
  download: (format: string) => say`Download as ${format}`,
  save: say`Save this view`,
  name: say`Name of the view`,
  forget: (name: string) => say`Remove the view ${name}`,
  views: say`Saved views`,
  all: say`All`,
} as const

export const density = {
  compact: say`Compact rows`,
  comfortable: say`Comfortable rows`,
} as const

export const search = {
  title: filters.search,
  everything: say`Search everything`,
  go: filters.search,
  types: say`Types`,
  all: values.all,
  nothing: (text: string) => say`Nothing has “${text}” in its name.`,
  left: (types: Words) => say`Too expensive to search here: ${types}. Open one of them and filter it.`,
} as const
