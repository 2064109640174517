// A Prisma schema of the size that grown applications reach. Each model has ten fields, relations among them, of every
// kind that inference knows; the same schema every time.

/** A Prisma schema with `models` models and ten times as many fields, without generators. */
export function largeSchema(models = 200): string {
  return [
    'datasource db {\n  provider = "sqlite"\n}',
    'enum Stage {\n  DRAFT\n  SENT\n  DONE\n}',
    ...Array.from({ length: models }, (_, i) => model(i, models)),
  ].join('\n\n')
}

/** `Parcel7`: the name of one of its models. */
export const largeModel = (i: number): string => `Parcel${i}`

// Each belongs to the one before it in a ring, so each has many of the one behind it.
function model(i: number, models: number): string {
  const name = largeModel(i)
  const parent = largeModel((i + models - 1) % models)
  const child = largeModel((i + 1) % models)
  return `model ${name} {
  id        Int      @id @default(autoincrement())
  title     String
  code      String   @unique
  stage     Stage    @default(DRAFT)
  weight    Float?
  isOpen    Boolean  @default(true)
  createdAt DateTime @default(now())
  parentId  Int?
  parent    ${parent}? @relation("${parent}To${name}", fields: [parentId], references: [id])
  children  ${child}[] @relation("${name}To${child}")

  @@index([createdAt, id])
  @@index([parentId])
}`
}
