import { randomBytes, randomInt, randomUUID } from 'node:crypto'
import type { ColumnMeta } from '@prismapi/jsonapi/model/meta'
import { NotInSql } from '../dialects/codec.ts'

// The ids that Prisma Client makes of new rows, of the same form.

/** An id as the default of the column says. @throws {NotInSql} for a form that is not known here. */
export function generatedId({ name, default: by, defaultValue }: ColumnMeta, now: Date): string {
  switch (`${by} ${defaultValue ?? ''}`) {
    case 'uuid ':
    case 'uuid 4':
      return randomUUID()
    case 'uuid 7':
      return uuidOfTime(now)
    case 'cuid ':
    case 'cuid 1':
      return `c${digits(36, now.getTime(), 8)}${digits(36, counted(), 4)}${processMark}${randomText(base36, 8)}`
    case 'cuid 2':
      return randomText(letters, 1) + randomText(base36, 23)
    case 'ulid ':
      return timeIn32(now) + randomText(base32, 16)
    default:
      if (by === 'nanoid') return randomText(base64, typeof defaultValue === 'number' ? defaultValue : 21)
      throw new NotInSql(`the id of ${name}`)
  }
}

const letters = 'abcdefghijklmnopqrstuvwxyz'
const base36 = `0123456789${letters}`
const base32 = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'
const base64 = `_-${base36}${letters.toUpperCase()}`

const randomText = (alphabet: string, length: number): string =>
  Array.from({ length }, () => alphabet[randomInt(alphabet.length)]).join('')

const digits = (base: number, value: number, length: number): string =>
  value.toString(base).padStart(length, '0').slice(-length)

/** Tells the ids of two processes apart that are made at one time. */
const processMark = randomText(base36, 4)

let last = randomInt(36 ** 4)
function counted(): number {
  last = (last + 1) % 36 ** 4
  return last
}

function timeIn32(now: Date): string {
  let left = now.getTime()
  let text = ''
  for (let i = 0; i < 10; i++) {
    text = base32[left % 32] + text
    left = Math.floor(left / 32)
  }
  return text
}

function uuidOfTime(now: Date): string {
  const bytes = randomBytes(16)
  bytes.writeUIntBE(now.getTime(), 0, 6)
  bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x70, 6)
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8)
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
}
