import type { DoctorReport, RelationReport, TypeReport } from '@prismapi/cli/doctor/report'

export type AttributeReport = TypeReport['attributes'][number]

/** What has been made: the ids of each type, in order. */
export type Made = Map<string, string[]>

/** A type with `create`, in the words of the report. */
export const isCreated = ({ operations }: TypeReport): boolean => operations.includes('create')

/** A document that makes the nth of a type; null where a required relation has nothing to lead to yet. */
export function documentOf(
  type: TypeReport,
  made: Made,
  nth: number,
  isWanted: (attribute: AttributeReport) => boolean,
) {
  const relationships: Record<string, object> = {}
  for (const relation of type.relations.filter(({ required }) => required)) {
    const target = targetOf(relation, made, nth)
    if (target === null) return null
    relationships[relation.name] = { data: target }
  }
  const attributes = attributesOf(type, nth, (each) => each.required || isWanted(each))
  const id = type.id.clientGenerated ? { id: idOf(type, nth) } : {}
  return { data: { type: type.type, ...id, attributes, relationships } }
}

/** Where the nth of a type leads; each to another one, as a unique foreign key wants it. */
function targetOf({ types }: RelationReport, made: Made, nth: number) {
  const all = types.flatMap((type) => (made.get(type) ?? []).map((id) => ({ type, id })))
  return all[Math.min(nth, all.length) - 1] ?? null
}

export const attributesOf = (
  { attributes }: TypeReport,
  nth: number,
  isWanted: (attribute: AttributeReport) => boolean,
): Record<string, unknown> =>
  Object.fromEntries(
    attributes
      .filter((each) => !each.readOnly && isWanted(each))
      .map((each) => [each.name, each.list ? [nthValue(each, nth)] : nthValue(each, nth)]),
  )

function idOf({ id, attributes }: TypeReport, nth: number): string {
  if (id.kind !== 'composite') return String(nthValue({ ...id, kind: id.kind as AttributeReport['kind'] }, nth))
  const parts = id.fields.map((name) => nthValue(attributes.find((each) => each.name === name) as AttributeReport, nth))
  return parts.map((part) => encodeURIComponent(String(part)).replaceAll('_', '%5F')).join('_')
}

type Valued = Pick<AttributeReport, 'kind' | 'values' | 'format' | 'maxLength'>

/** The nth value of an attribute: no two of the first nine are the same, but for booleans and short enums. */
function nthValue({ kind, values = [], format, maxLength }: Valued, nth: number): unknown {
  switch (kind) {
    case 'enum':
      return values[nth % values.length]
    case 'integer':
      return nth
    case 'bigint':
    case 'decimal':
      return `${nth}`
    case 'float':
      return nth + 0.5
    case 'boolean':
      return nth % 2 === 0
    case 'datetime':
      return instant(format, nth)
    case 'date':
      return `2026-01-0${nth}`
    case 'time':
      return `0${nth}:00:00`
    case 'json':
      return { nth }
    case 'bytes':
      return Buffer.from([nth]).toString('base64')
    case 'string':
      return format === undefined ? `${nth}`.padEnd(Math.min(maxLength ?? 1, 4), 'x') : texts[format]?.(nth, maxLength)
    default:
      return kind satisfies never
  }
}

const texts: Readonly<Record<string, (nth: number, size: number | undefined) => string>> = {
  uuid: (nth) => `00000000-0000-4000-8000-00000000000${nth}`,
  inet: (nth) => `10.0.0.${nth}`,
  xml: (nth) => `<a>${nth}</a>`,
  bit: (nth, size = 1) => nth.toString(2).padStart(size, '0').slice(-size),
  varbit: (nth) => nth.toString(2),
}

function instant(format: string | undefined, nth: number): string {
  return format === 'time' ? `1970-01-01T0${nth}:00:00.000Z` : `2026-01-01T0${nth}:00:00.000Z`
}

/** What the report says that no type is served for. */
export const unserved = ({ skipped }: DoctorReport): readonly string[] =>
  skipped.filter(({ field }) => field === undefined).map(({ model, reason }) => `${model}: ${reason}`)
