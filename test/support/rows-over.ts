import type { Reader } from '@prismapi/core/database/reader'
import { Rows } from '@prismapi/core/read/rows'
import type { Condition } from '@prismapi/jsonapi/condition/condition'

/** The wall around a reader, for a caller of whom nothing but these scopes is known. */
export const rowsOver = (reader: Reader, scopes: ReadonlyMap<string, Condition> = new Map()): Rows =>
  new Rows(reader, { asked: new Set(), scopes, scopesWithDeleted: scopes, scopesById: scopes }, () => null)
