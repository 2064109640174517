import { say } from '@prismapi/jsonapi/document/text'
import { fieldWords, numberTold, oneOf, type Words } from './words.ts'

// What the forms say that change something.

export const forms = {
  create: (one: Words) => say`New ${one}`,
  update: say`Edit`,
  save: say`Save`,
  attach: say`Add`,
  set: say`Set`,
  clear: say`Clear`,
  replaceAll: say`Replace all`,
  replaces: say`What you choose here takes the place of all of them.`,
  addMany: (relation: Words) => say`Add ${relation}`,
  required: say`required`,
  related: say`Related`,
  more: say`More`,
  technical: say`Technical`,
  edit: say`Edit`,
  editTitle: (name: Words) => say`Edit ${name}`,
  cancel: say`Cancel`,
  restore: say`Restore`,
  undo: say`Undo`,
  remove: say`Delete`,
  addTo: (relation: Words) => say`Add to ${relation}`,
  removeOne: (name: Words) => say`Remove ${name}`,
  unsaved: say`Not saved yet.`,
  conflict: {
    title: say`Somebody else has changed it while you were writing.`,
    columns: [say`Field`, say`When you began`, say`Now`, say`Yours`],
    keep: say`Save mine`,
    drop: say`Discard mine`,
  },
  one: say`Type a part of its name.`,
  commas: say`Commas stand between several.`,
  oneId: say`Its ID.`,
  manyIds: say`Their IDs, with commas between them.`,
  type: say`type`,
  limits: {
    minLength: (least: Words) => say`at least ${least} characters`,
    maxLength: (most: Words) => say`up to ${most} characters`,
    minimum: (least: Words) => say`at least ${least}`,
    maximum: (most: Words) => say`at most ${most}`,
    between: (least: Words, most: Words) => say`${least} to ${most}`,
    number: say`A number.`,
    time: say`A time, as 09:30.`,
    pattern: say`Its pattern:`,
  },
  utc: say`UTC`,
} as const

export const written = {
  title: say`What you wrote`,
  send: say`Sign in and send`,
} as const

export const creation = {
  title: forms.create,
  back: say`Cancel`,
  refused: say`You may not create one.`,
  made: say`Created:`,
} as const

export const many = {
  chosen: say`The chosen rows`,
  changeAll: say`Change`,
  remove: say`Delete`,
  save: forms.save,
  next: say`Continue`,
  all: say`All rows`,
  back: say`Cancel`,
  backToAll: say`Back`,
  some: (count: number, what: Words) => say`${numberTold(count)} ${what}`,
  changeTitle: (field: Words, those: Words) => say`${field} of ${those}`,
  removeTitle: (those: Words) => say`Delete ${those}?`,
  actionTitle: (action: Words, those: Words) => say`${action}: ${those}?`,
  empty: say`Leave it empty in all of them`,
  noValue: say`Write a value, or tick that it is left empty.`,
  refused: say`you may not`,
  left: (taken: number, left: number) =>
    say`One request takes at most ${taken} rows. ${left} more were chosen: they stay as they are.`,
  nothing: say`Nothing was changed`,
  gone: say`The chosen rows are not on this page.`,
  done: { change: say`Changed:`, delete: say`Deleted:`, action: (action: Words) => say`Done: ${action}` },
} as const

export const deletion = {
  title: (name: Words) => say`Delete ${name}?`,
  remove: forms.remove,
  back: say`Cancel`,
  refused: say`You may not delete it.`,
  leave: say`Back`,
  cannot: (name: Words) => say`${name} cannot be deleted`,
  held: (count: number, schema: Parameters<typeof oneOf>[0]) =>
    count === 1
      ? say`1 ${oneOf(schema)} refers to it.`
      : say`${numberTold(count)} ${fieldWords(schema.type)} refer to it.`,
  heldBy: (types: Words) => say`${types} refer to it.`,
  showAll: say`Show all`,
  one: {
    marked: say`It is put into the bin. Nothing else changes.`,
    alone: say`Nothing else that you may see is deleted with it.`,
    removed: say`Deleted with it:`,
    cleared: say`Stays, but does not belong to it any more:`,
    kept: say`Prevents its deletion:`,
  },
  several: {
    marked: say`They are put into the bin. Nothing else changes.`,
    alone: say`Nothing else that you may see is deleted with them.`,
    removed: say`Deleted with them:`,
    cleared: say`Stays, but does not belong to them any more:`,
    kept: say`Prevents their deletion:`,
  },
  some: (count: number, what: Words) => say`${numberTold(count)} ${what}`,
  uncounted: say`Not counted, because there may be too many:`,
} as const
