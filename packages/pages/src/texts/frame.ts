import { say } from '@prismapi/jsonapi/document/text'
import { values } from './reading.ts'
import type { Words } from './words.ts'

// What stands around each page, and what scripts say.

export const frame = {
  skip: say`Skip to the content`,
  tools: say`Tools`,
  reference: say`Reference`,
  theme: say`Light or dark`,
  scriptless: say`Without JavaScript you type ids where you would search by name, and pages do not update themselves.`,
  pages: say`Pages`,
} as const

export const signing = {
  title: say`Sign in`,
  leave: say`Sign out`,
  token: say`Token`,
  guest: say`You are a guest.`,
  user: (name: Words) => say`You are ${name}.`,
  unnamed: say`signed in`,
  noToken: say`This is not a token.`,
  tooLong: say`This token is too long: browsers keep no cookie of its size.`,
  unknown: say`This token belongs to nobody.`,
} as const

export const reference = {
  title: (name: string) => say`${name}: reference`,
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
  say`Found`,
  say`1 change`,
  say`${0} changes`,
  say`removed`,
  values.yes,
  values.no,
  say`the server answered ${0}`,
  say`The document cannot be shown: ${0}. Load the page again.`,
] as const
