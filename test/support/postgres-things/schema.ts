/** Columns that only PostgreSQL has, and constraints with names of their own, in a schema beside `public`. */
export const thingsSchema = `
generator client {
  provider = "prisma-client"
  output   = "./generated/client"
}

generator resources {
  provider = "node --conditions=prismapi/source --import tsx ${new URL('../../../packages/cli/src/generator/bin.ts', import.meta.url).pathname}"
  output   = "./generated"
}

datasource db {
  provider = "postgresql"
  schemas  = ["public", "audit"]
}

model Box {
  id     Int     @id @default(autoincrement())
  name   String  @unique
  things Thing[]

  @@schema("public")
}

model Listed {
  id     Int        @id @default(autoincrement())
  name   String
  tags   String[]
  counts Int[]
  prices Decimal[]  @db.Decimal(8, 2)
  days   DateTime[] @db.Timestamptz(3)
  blobs  Bytes[]
  flags  Boolean[]
  given  String[]   @default(["a"])

  @@schema("public")
}

model Priced {
  id    Int    @id @default(autoincrement())
  net   Int
  gross Int    @default(dbgenerated("0"))
  note  String @default(dbgenerated("'none'"))

  @@schema("public")
}

model Moment {
  id   Int      @id @default(autoincrement())
  at   DateTime @db.Timestamptz(3)
  plain DateTime @db.Timestamp(3)
  hour DateTime @db.Timetz(3)
  day  DateTime @db.Date

  @@schema("public")
}

model Thing {
  id     Int      @id @default(autoincrement())
  code   String   @default("x") @db.VarChar(8)
  label  String?  @unique(map: "labels are unique")
  serial String?  @unique @map("serial_no")
  shelf  Int      @default(0)
  place  Int      @default(autoincrement())
  small  Int      @default(0) @db.SmallInt
  price  Decimal  @default(0) @db.Decimal(5, 2)
  ref    String?  @db.Uuid
  at     DateTime? @db.Timestamptz(3)
  fine   DateTime @default(now()) @db.Timestamptz(6)
  box    Box?     @relation(fields: [boxId], references: [id])
  boxId  Int?

  @@unique([shelf, place], map: "one place")
  @@map("the things")
  @@schema("audit")
}
`
