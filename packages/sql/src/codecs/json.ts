import { nullIn } from '@prismapi/jsonapi/model/prisma-values'
import { NotInSql } from './codec.ts'

/** A value of a Json column as the text that is stored. @throws {NotInSql} for what Prisma makes something else of. */
export function writeJson(value: unknown): string {
  if (nullIn(value) === 'JsonNull') return 'null'
  if (!isPlain(value)) throw new NotInSql('a value that is no plain JSON')
  return JSON.stringify(value)
}

/**
 * Is it what JSON itself knows, and in no other way than `JSON.parse`
 * gives it. The null of the column alone has another name.
 */
const isPlain = (value: unknown): boolean => value !== null && isPlainItem(value)

function isPlainItem(value: unknown): boolean {
  if (value === null || typeof value === 'boolean') return true
  if (typeof value === 'string') return value.isWellFormed() && !value.includes('\0')
  if (typeof value === 'number') return Number.isFinite(value)
  if (Array.isArray(value)) return value.every(isPlainItem)
  if (typeof value !== 'object' || Object.getPrototypeOf(value) !== Object.prototype) return false
  return Object.entries(value).every(([name, each]) => name !== '$type' && isPlainItem(name) && isPlainItem(each))
}
