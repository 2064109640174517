import { expect, test } from 'vitest'
import { leftOut } from '../src/left-out.ts'

test('what Prisma Client does not know of is told line by line', () => {
  const schema = `
model Place {
  id       Int    @id // model Nothing {
  name     String @default("// no comment") @ignore
  position Unsupported("geography(Point,4326)")
  area     Unsupported("polygon")?
  seen     Unsupported("tsvector")  @default(dbgenerated("''"))
  /// @ignore is only a word here
  note     String?
  owner    Person? @relation(name: "owns", fields: [ownerId], references: [id]) @ignore
  ownerId  Int?
  lists    List[]  @ignore
}

model Legacy {
  id Int @id

  @@ignore
}

view Summary {
  id    Int @unique
  shape Unsupported("polygon")
}
`
  expect(leftOut(schema)).toEqual([
    'Place.name is left out: it has @ignore.',
    'Place.position is left out: Prisma Client does not know the type "geography(Point,4326)".',
    'Place cannot be created: position is required, and Prisma Client cannot fill it.',
    'Place.area is left out: Prisma Client does not know the type "polygon".',
    'Place.seen is left out: Prisma Client does not know the type "tsvector".',
    'Place.owner is left out: it has @ignore. ownerId is an attribute that clients write: put /// @readOnly or /// @hidden above it where they may not.',
    'Place.lists is left out: it has @ignore.',
    'Legacy is left out: it has @@ignore.',
    'Summary.shape is left out: Prisma Client does not know the type "polygon".',
  ])
})

test('an ordinary schema has nothing to tell', () => {
  expect(leftOut('model Tag {\n  id Int @id\n  name String @unique\n}\n')).toEqual([])
})
