import type { Part as Json } from '@prismapi/openapi/described'
import { announcementOf, type DescribedApi } from './described-api.ts'
import { dataOf, memberOf } from './endpoint-parts.ts'
import { membersOf, type Shape, toLinkageShape, toShape } from './shape.ts'
import { keyOf, type Part, part } from './surface.ts'

const kinds = ['attribute', 'relationship'] as const

/** The places where documents have fields: `on update` is what a PATCH takes. */
const places = [
  { name: 'in answers', direction: 'shown' },
  { name: 'on create', direction: 'sent' },
  { name: 'on update', direction: 'sent' },
] as const

/** The id and the fields of a type: as they are shown, and as they are taken. */
export function fieldParts({ schemas, find }: DescribedApi, type: string): readonly Part[] {
  const written = (kind: string) => dataOf(schemas[`${type}.${kind}`] ?? null, find)
  const data = [schemas[`${type}.resource`] ?? null, written('create'), written('update')]
  const id = memberOf(data[1] ?? null, 'id')
  const chosen = id ? [part({ where: type, what: 'id on create', shape: toShape(id, find) })] : []
  return [
    ...chosen,
    ...kinds.flatMap((kind) => {
      const members = data.map((each) => new Map(membersOf(memberOf(each, `${kind}s`) ?? {})))
      const names = new Set(members.flatMap((each) => [...each.keys()]))
      const shapeOf = (schema: Json) => shapeOfField(kind, schema, find)
      return [...names].flatMap((name) =>
        partsOf(
          { type, kind, name, shapeOf },
          members.map((each) => each.get(name)),
        ),
      )
    }),
  ]
}

interface Field {
  readonly type: string
  readonly kind: string
  readonly name: string
  shapeOf(schema: Json): Shape
}

function partsOf({ type, kind, name, shapeOf }: Field, schemas: readonly (Json | undefined)[]): readonly Part[] {
  const what = `${kind} ${name}`
  const announcement = announcementOf(schemas.find((schema) => schema?.deprecated === true))
  const within = keyOf(type, what)
  return [
    part({ where: type, what, announcement }),
    ...places.flatMap((place, at) => {
      const schema = schemas[at]
      const { direction } = place
      return schema
        ? [part({ where: type, what: `${what} ${place.name}`, within, direction, shape: shapeOf(schema) })]
        : []
    }),
  ]
}

const shapeOfField = (kind: string, schema: Json, find: DescribedApi['find']): Shape =>
  kind === 'attribute' ? toShape(schema, find) : toLinkageShape(memberOf(schema, 'data') ?? {}, find)
